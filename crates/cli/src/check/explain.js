const unmark = () => document.querySelectorAll(".marked").forEach(e => e.classList.remove("marked"));
const mark = (box, follow) => {
  unmark();
  box.classList.add("marked");
  const line = /line (\d+)/.exec(box.querySelector(".head")?.textContent ?? "");
  const row = line && document.querySelector(`.source [data-line="${line[1]}"]`);
  if (row) row.classList.add("marked");
  if (follow) box.scrollIntoView({ block: "center", inline: "center" });
};
for (const row of document.querySelectorAll(".steps tr[data-at]")) {
  row.addEventListener("click", () => {
    const box = document.getElementById(row.dataset.at);
    if (box) mark(box, true);
  });
}
for (const box of document.querySelectorAll(".picture g[id]")) box.addEventListener("click", () => mark(box, false));
for (const picture of document.querySelectorAll(".picture")) {
  const svg = picture.querySelector("svg");
  const whole = svg.viewBox.baseVal.width, ratio = svg.viewBox.baseVal.height / whole;
  const fit = () => Math.min(whole, picture.clientWidth);
  const set = width => { svg.setAttribute("width", width); svg.setAttribute("height", width * ratio); };
  for (const button of picture.previousElementSibling.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const factor = Number(button.dataset.zoom);
      set(factor ? svg.width.baseVal.value * factor : fit());
    });
  }
  // What is not much too wide is made to fit; otherwise the root is in view.
  set(Math.max(fit(), 0.65 * whole));
  const root = picture.querySelector("g[id]");
  if (root) {
    const box = root.getBoundingClientRect(), frame = picture.getBoundingClientRect();
    picture.scrollLeft = box.left + box.width / 2 - frame.left - frame.width / 2;
  }
}
