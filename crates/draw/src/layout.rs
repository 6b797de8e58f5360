//! Where boxes and arrows go: a layered drawing after Sugiyama, Tagawa and Toda
//! (1981), made for control flow.
//!
//! Boxes get ranks by longest path over the edges that do not close cycles, on
//! even ranks; an arrow passes every rank in between through a bend, and the
//! first one, always on an odd rank, is as large as its label, so that no label
//! ever covers anything. An edge that closes a cycle leaves downwards, turns, and
//! runs up in a lane of bends on that side of its loop where it crosses less.
//! Within a rank, barycentres and exchanges of neighbours reduce crossings;
//! positions then minimise the squared distances to neighbours, rank by rank, by
//! isotonic regression, and long arrows are straightened in the room they have.

/// What to lay out. Sizes are in pixels.
pub struct Input {
    /// Width and height of each box, the first ones to be drawn first.
    pub boxes: Vec<(f64, f64)>,
    pub arrows: Vec<InputArrow>,
}

pub struct InputArrow {
    pub from: usize,
    pub to: usize,
    pub back: bool,
    /// Width and height of the label, 0 if there is none.
    pub label: (f64, f64),
}

pub struct Output {
    /// Top left corners.
    pub boxes: Vec<(f64, f64)>,
    pub arrows: Vec<OutputArrow>,
    pub width: f64,
    pub height: f64,
}

pub struct OutputArrow {
    /// The `d` of an SVG path, ending at the tip of the arrow.
    pub path: String,
    /// The centre of the label.
    pub label: (f64, f64),
}

const BOX_GAP: f64 = 28.0;
const BEND_GAP: f64 = 16.0;
const RANK_GAP: f64 = 20.0;
/// How far a turn of a lane goes beyond its rank.
const TURN: f64 = 26.0;

#[derive(Clone)]
struct Item {
    w: f64,
    h: f64,
    rank: usize,
    /// Position in its rank, and the centre's coordinate.
    pos: usize,
    x: f64,
    /// Neighbours on the ranks above and below.
    up: Vec<usize>,
    down: Vec<usize>,
    /// The end of a lane stands beside this box, to the left (-1) or right (1).
    beside: Option<(usize, f64)>,
    is_box: bool,
}

struct Layers {
    items: Vec<Item>,
    ranks: Vec<Vec<usize>>,
    /// The bends of each arrow, in the direction of the arrow.
    bends: Vec<Vec<usize>>,
    /// Does the arrow run up in a lane? (Where a cycle has several entries, an edge that closes it
    /// may still lead down.)
    lane: Vec<bool>,
    /// Is the lane left of its loop?
    left: Vec<bool>,
}

/// The sides of lanes are tried one by one in pictures of up to this many items.
const TRY_SIDES: usize = 1500;

pub fn layout(input: &Input) -> Output {
    let mut layers = Layers::new(input);
    layers.choose_sides(input);
    layers.place();
    layers.draw(input)
}

impl Layers {
    fn new(input: &Input) -> Layers {
        let n = input.boxes.len();
        let mut rank = vec![0usize; n];
        let mut succs = vec![Vec::new(); n];
        let mut missing = vec![0; n];
        for (i, a) in input.arrows.iter().enumerate().filter(|(_, a)| !a.back) {
            succs[a.from].push(i);
            missing[a.to] += 1;
        }
        let mut ready: Vec<usize> = (0..n).rev().filter(|&i| missing[i] == 0).collect();
        while let Some(b) = ready.pop() {
            for &i in &succs[b] {
                let to = input.arrows[i].to;
                rank[to] = rank[to].max(rank[b] + 2);
                missing[to] -= 1;
                if missing[to] == 0 {
                    ready.push(to);
                }
            }
        }
        let lane: Vec<bool> = input.arrows.iter().map(|a| a.back && rank[a.to] <= rank[a.from]).collect();
        let bends = vec![Vec::new(); input.arrows.len()];
        // The true branch is drawn on the left, and in a `while` or `for` it is the body.
        let left = lane.clone();
        let mut layers = Layers { items: Vec::new(), ranks: Vec::new(), bends, lane, left };
        for (i, &(w, h)) in input.boxes.iter().enumerate() {
            layers.items.push(Item { is_box: true, ..Layers::item(w, h, rank[i]) });
        }
        for (i, a) in input.arrows.iter().enumerate() {
            layers.bend(i, a);
        }
        layers.ranks = vec![Vec::new(); layers.items.iter().map(|x| x.rank + 1).max().unwrap_or(0)];
        layers
    }

    /// Orders the items, with each lane on the side that makes fewer crossings.
    fn choose_sides(&mut self, input: &Input) {
        let lanes: Vec<usize> = (0..input.arrows.len()).filter(|&i| self.lane[i]).collect();
        let mut fewest = self.order(input);
        let mut best = self.ranks.clone();
        let one_by_one = self.items.len() * lanes.len() <= 16 * TRY_SIDES && self.items.len() <= TRY_SIDES;
        let mut trials: Vec<Vec<usize>> = vec![lanes.clone()];
        if one_by_one {
            trials.extend(lanes.into_iter().map(|i| vec![i]));
        }
        // Moving one lane may make room for another: a second look.
        for trial in trials.iter().chain(&trials) {
            if fewest == 0 {
                break;
            }
            trial.iter().for_each(|&i| self.left[i] = !self.left[i]);
            let crossings = self.order(input);
            if crossings < fewest {
                fewest = crossings;
                best.clone_from(&self.ranks);
            } else {
                trial.iter().for_each(|&i| self.left[i] = !self.left[i]);
            }
        }
        self.ranks = best;
        (0..self.ranks.len()).for_each(|r| self.renumber(r));
    }

    fn item(w: f64, h: f64, rank: usize) -> Item {
        let (up, down) = (Vec::new(), Vec::new());
        Item { w, h, rank, pos: 0, x: 0.0, up, down, beside: None, is_box: false }
    }

    fn bend(&mut self, i: usize, a: &InputArrow) {
        let (from, to) = (self.items[a.from].rank, self.items[a.to].rank);
        let lane = self.lane[i];
        let ranks: Vec<usize> = if lane { (to..=from).rev().collect() } else { (from + 1..to).collect() };
        for (k, &rank) in ranks.iter().enumerate() {
            let (w, h) = if k == 0 { a.label } else { (0.0, 0.0) };
            self.bends[i].push(self.items.len());
            self.items.push(Layers::item(w, h, rank));
        }
        let mut chain = self.bends[i].clone();
        if lane {
            chain.reverse();
        } else {
            chain.insert(0, a.from);
            chain.push(a.to);
        }
        for pair in chain.windows(2) {
            self.items[pair[0]].down.push(pair[1]);
            self.items[pair[1]].up.push(pair[0]);
        }
    }

    /// Items in the order a depth-first walk meets them: lanes on the left come with the head of
    /// their loop, others with its end.
    fn first_order(&mut self, input: &Input) {
        self.ranks.iter_mut().for_each(Vec::clear);
        let n = input.boxes.len();
        let (mut lanes, mut succs) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (i, a) in input.arrows.iter().enumerate() {
            match (self.lane[i], self.left[i]) {
                (false, _) => succs[a.from].push(i),
                (true, true) => lanes[a.to].push(i),
                (true, false) => lanes[a.from].push(i),
            }
        }
        let mut seen = vec![false; self.items.len()];
        for root in 0..input.boxes.len() {
            let mut stack = vec![root];
            while let Some(x) = stack.pop() {
                if std::mem::replace(&mut seen[x], true) {
                    continue;
                }
                self.push(x);
                if x >= input.boxes.len() {
                    continue;
                }
                for &i in &lanes[x] {
                    for b in self.bends[i].clone() {
                        seen[b] = true;
                        self.push(b);
                    }
                }
                for &i in succs[x].iter().rev() {
                    stack.push(input.arrows[i].to);
                    stack.extend(self.bends[i].iter().rev());
                }
            }
        }
    }

    fn push(&mut self, x: usize) {
        let rank = self.items[x].rank;
        self.items[x].pos = self.ranks[rank].len();
        self.ranks[rank].push(x);
    }

    fn renumber(&mut self, rank: usize) {
        for (pos, &x) in self.ranks[rank].iter().enumerate() {
            self.items[x].pos = pos;
        }
    }

    /// Orders all ranks; the number of crossings that remain.
    fn order(&mut self, input: &Input) -> usize {
        self.first_order(input);
        for (i, a) in input.arrows.iter().enumerate().filter(|(i, _)| self.lane[*i]) {
            if let (Some(&first), Some(&last)) = (self.bends[i].first(), self.bends[i].last()) {
                let side = if self.left[i] { -1.0 } else { 1.0 };
                self.items[first].beside = Some((a.from, side));
                self.items[last].beside = Some((a.to, side));
            }
        }
        // Large pictures get fewer rounds; they are not legible anyway.
        let rounds = (400_000 / (self.items.len() + 1)).clamp(2, 24);
        let mut best = self.ranks.clone();
        let mut fewest = self.crossings();
        for round in 0..rounds {
            let down = round % 2 == 0;
            let ranks: Vec<usize> =
                if down { (0..self.ranks.len()).collect() } else { (0..self.ranks.len()).rev().collect() };
            for r in ranks {
                self.sort_by_barycentre(r, down);
            }
            self.exchange();
            let crossings = self.crossings();
            if crossings < fewest {
                fewest = crossings;
                best.clone_from(&self.ranks);
            }
            if fewest == 0 {
                break;
            }
        }
        self.ranks = best;
        (0..self.ranks.len()).for_each(|r| self.renumber(r));
        fewest
    }

    fn sort_by_barycentre(&mut self, rank: usize, down: bool) {
        let centre = |x: usize| {
            let item = &self.items[x];
            let near = if down { &item.up } else { &item.down };
            if near.is_empty() {
                return None;
            }
            // Positions count relative to the size of their rank, so that ranks compare.
            let relative = |y: &usize| {
                let y = &self.items[*y];
                (y.pos as f64 + 0.5) / self.ranks[y.rank].len() as f64
            };
            Some(near.iter().map(relative).sum::<f64>() / near.len() as f64)
        };
        let here = |x: usize| (self.items[x].pos as f64 + 0.5) / self.ranks[rank].len() as f64;
        let mut keys: Vec<(f64, usize, usize)> = Vec::new();
        for &x in &self.ranks[rank] {
            let beside =
                self.items[x].beside.map(|(b, side)| centre(b).unwrap_or_else(|| here(b)) + side * 1e-6);
            let key = centre(x).or(beside).unwrap_or_else(|| here(x));
            keys.push((key, self.items[x].pos, x));
        }
        keys.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.ranks[rank] = keys.into_iter().map(|k| k.2).collect();
        self.renumber(rank);
    }

    /// Exchanges neighbours while that removes crossings.
    fn exchange(&mut self) {
        for _ in 0..4 {
            let mut changed = false;
            for r in 0..self.ranks.len() {
                for i in 1..self.ranks[r].len() {
                    let (a, b) = (self.ranks[r][i - 1], self.ranks[r][i]);
                    if self.pair_crossings(a, b) > self.pair_crossings(b, a) {
                        self.ranks[r].swap(i - 1, i);
                        self.items[a].pos = i;
                        self.items[b].pos = i - 1;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Crossings between the edges of `a` and `b` when `a` stands left of `b`.
    fn pair_crossings(&self, a: usize, b: usize) -> usize {
        let count = |left: &[usize], right: &[usize]| {
            let pos = |x: &usize| self.items[*x].pos;
            left.iter().map(|x| right.iter().filter(|y| pos(y) < pos(x)).count()).sum::<usize>()
        };
        let (a, b) = (&self.items[a], &self.items[b]);
        count(&a.up, &b.up) + count(&a.down, &b.down)
    }

    /// All crossings, rank by rank: inversions among the edges sorted by their upper ends, and what
    /// the turns of lanes cross on their way to their boxes.
    fn crossings(&self) -> usize {
        let mut total = 0;
        for (x, item) in self.items.iter().enumerate() {
            let Some((b, _)) = item.beside else { continue };
            let (from, to) = (item.pos.min(self.items[b].pos), item.pos.max(self.items[b].pos));
            let bottom = self.items[x].down.is_empty();
            for &between in self.ranks[item.rank].get(from + 1..to).unwrap_or(&[]) {
                let other = &self.items[between];
                total += if bottom { other.down.len() } else { other.up.len() };
            }
        }
        for rank in &self.ranks {
            let mut lower: Vec<usize> = Vec::new();
            for &x in rank {
                let mut ends: Vec<usize> = self.items[x].down.iter().map(|&y| self.items[y].pos).collect();
                ends.sort_unstable();
                lower.extend(ends);
            }
            let size = lower.iter().max().map_or(0, |m| m + 1);
            // A binary indexed tree of the lower ends seen so far.
            let mut tree = vec![0usize; size + 1];
            for (seen, &y) in lower.iter().enumerate() {
                let (mut not_greater, mut i) = (0, y + 1);
                while i > 0 {
                    not_greater += tree[i];
                    i &= i - 1;
                }
                total += seen - not_greater;
                let mut i = y + 1;
                while i <= size {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
            }
        }
        total
    }

    fn place(&mut self) {
        for r in 0..self.ranks.len() {
            let mut x = 0.0;
            let rank = self.ranks[r].clone();
            for (i, &item) in rank.iter().enumerate() {
                if i > 0 {
                    x += self.separation(rank[i - 1], item);
                }
                self.items[item].x = x;
            }
        }
        for round in 0..16 {
            let down = round % 2 == 0;
            let both = round >= 10;
            let ranks: Vec<usize> =
                if down { (0..self.ranks.len()).collect() } else { (0..self.ranks.len()).rev().collect() };
            for r in ranks {
                self.place_rank(r, down || both, !down || both);
            }
        }
        for _ in 0..3 {
            self.straighten();
        }
    }

    /// Gives runs of consecutive bends of an arrow one coordinate, as far as the neighbours in
    /// their ranks leave room: the longest run that has any, then the next.
    fn straighten(&mut self) {
        for i in 0..self.bends.len() {
            let bends = self.bends[i].clone();
            let mut rest = &bends[..];
            while let Some(&first) = rest.first() {
                let (mut low, mut high) = self.room(first);
                let mut count = 1;
                for &b in &rest[1..] {
                    let (l, h) = self.room(b);
                    if l.max(low) > h.min(high) {
                        break;
                    }
                    (low, high) = (l.max(low), h.min(high));
                    count += 1;
                }
                let mean = rest[..count].iter().map(|&b| self.items[b].x).sum::<f64>() / count as f64;
                for &b in &rest[..count] {
                    self.items[b].x = mean.max(low).min(high);
                }
                rest = &rest[count..];
            }
        }
    }

    /// Between which coordinates an item may move without touching its neighbours.
    fn room(&self, x: usize) -> (f64, f64) {
        let rank = &self.ranks[self.items[x].rank];
        let pos = self.items[x].pos;
        let low = match pos.checked_sub(1).map(|i| rank[i]) {
            Some(y) => self.items[y].x + self.separation(y, x),
            None => f64::NEG_INFINITY,
        };
        let high = match rank.get(pos + 1) {
            Some(&y) => self.items[y].x - self.separation(x, y),
            None => f64::INFINITY,
        };
        // Rounding may leave a gap a hair too small.
        (low.min(self.items[x].x), high.max(self.items[x].x))
    }

    fn separation(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.items[a], &self.items[b]);
        let gap = if a.is_box && b.is_box { BOX_GAP } else { BEND_GAP };
        (a.w + b.w) / 2.0 + gap
    }

    /// Moves the items of a rank as near to their neighbours as their order allows: weighted
    /// isotonic regression by pooling adjacent violators.
    fn place_rank(&mut self, rank: usize, see_up: bool, see_down: bool) {
        let items = &self.ranks[rank];
        let mut offset = 0.0;
        let mut pools: Vec<(f64, f64, usize)> = Vec::new();
        let mut offsets = Vec::with_capacity(items.len());
        for (i, &x) in items.iter().enumerate() {
            if i > 0 {
                offset += self.separation(items[i - 1], x);
            }
            offsets.push(offset);
            let (wish, weight) = self.wish(x, see_up, see_down);
            let mut pool = (wish - offset, weight, 1);
            while let Some(&(mean, w, count)) = pools.last() {
                if mean <= pool.0 {
                    break;
                }
                pool = ((mean * w + pool.0 * pool.1) / (w + pool.1), w + pool.1, count + pool.2);
                pools.pop();
            }
            pools.push(pool);
        }
        let mut i = 0;
        let items = items.clone();
        for (mean, _, count) in pools {
            for _ in 0..count {
                self.items[items[i]].x = mean + offsets[i];
                i += 1;
            }
        }
    }

    /// Where an item would like to be, and how much.
    fn wish(&self, x: usize, see_up: bool, see_down: bool) -> (f64, f64) {
        let item = &self.items[x];
        let (mut sum, mut weight) = (0.0, 0.0);
        let mut near: Vec<usize> = Vec::new();
        if see_up {
            near.extend(&item.up);
        }
        if see_down {
            near.extend(&item.down);
        }
        for y in near {
            // Straight chains of bends matter most, then the line of boxes.
            let w = if item.is_box || self.items[y].is_box { 1.0 } else { 6.0 };
            sum += w * self.items[y].x;
            weight += w;
        }
        if let Some((b, _)) = item.beside {
            let b = &self.items[b];
            let side = if item.pos > b.pos { 1.0 } else { -1.0 };
            sum += b.x + side * (b.w / 2.0 + BEND_GAP + item.w / 2.0);
            weight += 1.0;
        }
        if weight == 0.0 { (item.x, 0.05) } else { (sum / weight, weight) }
    }

    fn draw(&self, input: &Input) -> Output {
        let left = self.items.iter().map(|i| i.x - i.w / 2.0).fold(f64::INFINITY, f64::min);
        let right = self.items.iter().map(|i| i.x + i.w / 2.0).fold(left, f64::max);
        // Ranks from top to bottom; steep arrows get more room.
        let mut tops = Vec::new();
        let mut heights = Vec::new();
        let mut y = TURN;
        for rank in &self.ranks {
            let height = rank.iter().map(|&x| self.items[x].h).fold(0.0, f64::max);
            let span = |x: &usize| {
                let down = self.items[*x].down.iter().map(|&d| (self.items[d].x - self.items[*x].x).abs());
                down.fold(0.0, f64::max)
            };
            let widest = rank.iter().map(span).fold(0.0, f64::max);
            tops.push(y);
            heights.push(height);
            y += height + RANK_GAP + (widest / 16.0).min(40.0);
        }
        let at = |x: usize| self.items[x].x - left;
        let mut out = Output {
            boxes: Vec::new(),
            arrows: Vec::new(),
            width: right - left,
            height: y - RANK_GAP + TURN,
        };
        for (i, &(w, _)) in input.boxes.iter().enumerate() {
            out.boxes.push((at(i) - w / 2.0, tops[self.items[i].rank]));
        }
        let starts = self.ports(input, true);
        let ends = self.ports(input, false);
        for (i, a) in input.arrows.iter().enumerate() {
            let (sx, ex) = (starts[i] - left, ends[i] - left);
            let (from, to) = (self.items[a.from].rank, self.items[a.to].rank);
            let bottom = tops[from] + self.items[a.from].h;
            let rank_bottom = tops[from] + heights[from];
            let mut path = format!("M{sx:.1},{bottom:.1} L{sx:.1},{rank_bottom:.1}");
            let (mut px, mut py) = (sx, rank_bottom);
            for (k, &b) in self.bends[i].iter().enumerate() {
                let (x, rank) = (at(b), self.items[b].rank);
                let (top, bottom) = (tops[rank], tops[rank] + heights[rank]);
                let (near, far) = if self.lane[i] { (bottom, top) } else { (top, bottom) };
                path += &if self.lane[i] && k == 0 {
                    let low = near + TURN;
                    format!(" C{px:.1},{low:.1} {x:.1},{low:.1} {x:.1},{near:.1}")
                } else {
                    curve(px, py, x, near)
                };
                path += &format!(" L{x:.1},{far:.1}");
                (px, py) = (x, far);
            }
            let tip = tops[to];
            path += &if self.lane[i] {
                let high = tip - TURN;
                format!(" C{px:.1},{high:.1} {ex:.1},{high:.1} {ex:.1},{tip:.1}")
            } else {
                curve(px, py, ex, tip)
            };
            let label = self.bends[i].first().map_or((0.0, 0.0), |&b| {
                let rank = self.items[b].rank;
                (at(b), tops[rank] + heights[rank] / 2.0)
            });
            out.arrows.push(OutputArrow { path, label });
        }
        out
    }

    /// Where arrows leave or enter their boxes: side by side, in the order of where they go.
    fn ports(&self, input: &Input, leaving: bool) -> Vec<f64> {
        let mut at_box = vec![Vec::new(); input.boxes.len()];
        for (i, a) in input.arrows.iter().enumerate() {
            let bend = if leaving { self.bends[i].first() } else { self.bends[i].last() };
            let other = if leaving { a.to } else { a.from };
            let x = self.items[*bend.unwrap_or(&other)].x;
            at_box[if leaving { a.from } else { a.to }].push((x, i));
        }
        let mut ports = vec![0.0; input.arrows.len()];
        for (b, mut arrows) in at_box.into_iter().enumerate() {
            arrows.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
            let n = arrows.len() as f64;
            let step = (self.items[b].w / (n + 1.0)).min(26.0);
            for (k, (_, i)) in arrows.into_iter().enumerate() {
                ports[i] = self.items[b].x + (k as f64 - (n - 1.0) / 2.0) * step;
            }
        }
        ports
    }
}

/// A curve that leaves and arrives vertically; a line where it is one.
fn curve(x0: f64, y0: f64, x1: f64, y1: f64) -> String {
    if (x0 - x1).abs() < 0.5 {
        return format!(" L{x1:.1},{y1:.1}");
    }
    let middle = (y0 + y1) / 2.0;
    format!(" C{x0:.1},{middle:.1} {x1:.1},{middle:.1} {x1:.1},{y1:.1}")
}
