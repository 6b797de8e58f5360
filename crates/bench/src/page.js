"use strict";
const body = document.querySelector(".tasks tbody");
const rows = [...body.rows];
const key = (row, at) => {
  const text = row.cells[at].textContent.trim();
  const number = parseFloat(text);
  return at > 1 && !isNaN(number) ? number : text;
};
for (const head of document.querySelectorAll("th[data-sort]")) {
  head.addEventListener("click", () => {
    const down = head.classList.contains("up");
    document.querySelectorAll("th[data-sort]").forEach(h => h.classList.remove("up", "down"));
    head.classList.add(down ? "down" : "up");
    const at = Number(head.dataset.sort);
    rows.sort((a, b) => {
      const [x, y] = [key(a, at), key(b, at)];
      const order = typeof x === "number" && typeof y === "number" ? x - y
        : String(x).localeCompare(String(y), undefined, { numeric: true });
      return down ? -order : order;
    });
    body.append(...rows);
  });
}
const filter = document.getElementById("filter"), show = document.getElementById("show");
const wanted = row => {
  const cells = [...row.querySelectorAll("td.first")];
  if (!row.cells[0].textContent.toLowerCase().includes(filter.value.toLowerCase())) return false;
  switch (show.value) {
    case "wrong": return cells.some(c => c.classList.contains("wrong"));
    case "unsolved": return cells.some(c => !c.classList.contains("correct"));
    case "differ": return new Set(cells.map(c => c.className)).size > 1;
    default: return true;
  }
};
const update = () => {
  let shown = 0;
  for (const row of rows) shown += !(row.hidden = !wanted(row));
  document.getElementById("count").textContent = shown + " of " + rows.length;
};
filter.addEventListener("input", update);
show.addEventListener("change", update);
update();
