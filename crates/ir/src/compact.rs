//! Dropping rows and renumbering what stays.
//!
//! Passes mark what they no longer need; this is the one place that rebuilds all
//! tables so that ids are dense again. The pool of expressions is rebuilt too,
//! with only what the program still uses.

use cairn_base::{EntityRef, PrimaryMap};
use fixedbitset::FixedBitSet;

use crate::visit::Rename;
use crate::{
    EdgeId, ExprId, ExprPool, Init, LabelId, LocId, ObjId, Op, Program, RelocTarget, Site, VarId, VarKind,
};

/// What to drop. Nothing that stays may refer to it.
pub struct Drops {
    pub locs: FixedBitSet,
    pub edges: FixedBitSet,
    pub vars: FixedBitSet,
    pub objects: FixedBitSet,
    pub labels: FixedBitSet,
}

impl Drops {
    /// Drops nothing yet.
    pub fn none(p: &Program) -> Drops {
        Drops {
            locs: FixedBitSet::with_capacity(p.locs.len()),
            edges: FixedBitSet::with_capacity(p.edges.len()),
            vars: FixedBitSet::with_capacity(p.vars.len()),
            objects: FixedBitSet::with_capacity(p.objects.len()),
            labels: FixedBitSet::with_capacity(p.labels.len()),
        }
    }
}

/// Which row became which.
pub struct Map {
    pub locs: Renumbered<LocId>,
    pub edges: Renumbered<EdgeId>,
    pub vars: Renumbered<VarId>,
    pub objects: Renumbered<ObjId>,
    pub labels: Renumbered<LabelId>,
}

impl Map {
    /// An expression of the program as it is, in the pool of the program as it was.
    pub fn old_expr(&self, from: &ExprPool, to: &mut ExprPool, e: ExprId) -> ExprId {
        Rename::new(|v| self.vars.old(v), |o| self.objects.old(o), |l| self.labels.old(l)).expr(from, to, e)
    }
}

/// The new id of each old one, and the old one of each new.
pub struct Renumbered<K> {
    new: Vec<Option<K>>,
    old: Vec<K>,
}

impl<K: EntityRef> Renumbered<K> {
    fn new(len: usize, drops: &FixedBitSet) -> Renumbered<K> {
        let mut old = Vec::new();
        let ids = (0..len).map(|i| {
            (!drops.contains(i)).then(|| {
                old.push(K::new(i));
                K::new(old.len() - 1)
            })
        });
        Renumbered { new: ids.collect(), old }
    }

    /// The new id, of what was not dropped.
    pub fn get(&self, k: K) -> Option<K> {
        self.new[k.index()]
    }

    /// What the id was before.
    pub fn old(&self, k: K) -> K {
        self.old[k.index()]
    }

    /// The new id of what stays.
    fn kept(&self, k: K) -> K {
        self.get(k).expect("nothing that stays refers to what is dropped")
    }

    fn filter<T>(&self, table: PrimaryMap<K, T>) -> PrimaryMap<K, T> {
        let rows = table.into_iter().filter(|(k, _)| self.get(*k).is_some());
        rows.map(|(_, x)| x).collect()
    }

    fn list(&self, list: &mut Vec<K>) {
        *list = list.iter().filter_map(|&k| self.get(k)).collect();
    }
}

/// Drops rows, and says which of the others became which.
pub fn compact(p: &mut Program, drops: &Drops) -> Map {
    let locs: Renumbered<LocId> = Renumbered::new(p.locs.len(), &drops.locs);
    let edges: Renumbered<EdgeId> = Renumbered::new(p.edges.len(), &drops.edges);
    let vars: Renumbered<VarId> = Renumbered::new(p.vars.len(), &drops.vars);
    let objects: Renumbered<ObjId> = Renumbered::new(p.objects.len(), &drops.objects);
    let labels: Renumbered<LabelId> = Renumbered::new(p.labels.len(), &drops.labels);

    for a in &mut p.assumptions {
        let Site::Edge(e) = a.site else { continue };
        // Of an edge that is gone, its function is left.
        a.site = edges.get(e).map_or_else(|| Site::Func(p.locs[p.edges[e].src].func), Site::Edge);
    }

    p.vars = vars.filter(std::mem::take(&mut p.vars));
    p.objects = objects.filter(std::mem::take(&mut p.objects));
    p.locs = locs.filter(std::mem::take(&mut p.locs));
    p.edges = edges.filter(std::mem::take(&mut p.edges));
    p.labels = labels.filter(std::mem::take(&mut p.labels));

    let mut pool = ExprPool::new(p.model);
    for (v, var) in &p.vars {
        pool.declare_var(v, var.ty);
    }
    let old = std::mem::replace(&mut p.exprs, ExprPool::new(p.model));
    let mut rename = Rename::new(|v| vars.kept(v), |o| objects.kept(o), |l| labels.kept(l));
    for var in p.vars.values_mut() {
        if let VarKind::Global { init } = &mut var.kind {
            *init = rename.expr(&old, &mut pool, *init);
        }
    }
    for edge in p.edges.values_mut() {
        edge.src = locs.kept(edge.src);
        edge.dst = locs.kept(edge.dst);
        edge.op.map_def(|v| vars.kept(v));
        edge.op.map_exprs(|e| rename.expr(&old, &mut pool, e));
        if let Op::Begin { obj } | Op::End { obj } = &mut edge.op {
            *obj = objects.kept(*obj);
        }
    }
    p.exprs = pool;

    for loc in p.locs.values_mut() {
        loc.out = loc.out.iter().filter_map(|&e| edges.get(e)).collect();
        loc.inn = loc.inn.iter().filter_map(|&e| edges.get(e)).collect();
    }
    for label in p.labels.values_mut() {
        label.loc = locs.kept(label.loc);
    }
    for object in p.objects.values_mut() {
        let Init::Static(data) = &mut object.init else { continue };
        for r in &mut data.relocs {
            match &mut r.target {
                RelocTarget::Object(o) => *o = objects.kept(*o),
                RelocTarget::Label(l) => *l = labels.kept(*l),
                RelocTarget::Func(_) => {}
            }
        }
    }
    for func in p.funcs.values_mut() {
        func.params.iter_mut().for_each(|v| *v = vars.kept(*v));
        let Some(body) = func.body.as_mut() else { continue };
        body.entry = locs.kept(body.entry);
        body.exit = locs.kept(body.exit);
        locs.list(&mut body.locs);
        edges.list(&mut body.edges);
        vars.list(&mut body.vars);
        objects.list(&mut body.objects);
    }
    Map { locs, edges, vars, objects, labels }
}
