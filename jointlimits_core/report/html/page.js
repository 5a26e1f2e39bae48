// Draws the page; then its tables are sorted by their heads, searched and filtered.
(() => {
  const main = document.getElementById("page");
  main.className = Content.page.kind;
  main.replaceChildren(...Content.draw(Content.page.content));
  const value = (cell) => {
    const text = cell ? cell.dataset.sort || cell.textContent.trim() : "";
    const number = Number(text.replace("−", "-").replace(/[°,]/g, ""));
    return text !== "" && Number.isFinite(number) ? number : text.toLowerCase();
  };
  const compare = (a, b) => {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  document.querySelectorAll("table.sortable").forEach((table) => {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    const titles = [...body.rows].filter((row) => row.className === "group");
    const rows = [...body.rows].filter((row) => !titles.includes(row));
    const keys = heads.map(() => null);
    const sort = (column) => {
      const head = heads[column], up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      keys[column] = keys[column] || new Map(rows.map((row) => [row, value(row.cells[column])]));
      const sorted = [...rows].sort((a, b) =>
        (up ? 1 : -1) * compare(keys[column].get(a), keys[column].get(b)));
      titles.forEach((title) => title.remove());  // sorted rows have no groups
      body.append(...sorted);
    };
    heads.forEach((head, column) => {
      if (!head.textContent.trim() || head.colSpan > 1) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(column));
      head.append(button);
    });
    const tools = document.getElementById(table.dataset.tools);
    if (!tools) return;
    const find = tools.querySelector("input"), kind = tools.querySelector("select");
    const count = tools.querySelector(".count");
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const filter = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, n) => {
        const there = words.every((word) => texts[n].includes(word))
          && (!kind || !kind.value || row.dataset.kinds.split(" ").includes(kind.value));
        if (row.hidden === there) row.hidden = !there;
        shown += there;
      });
      titles.forEach((title) => { title.hidden = shown < rows.length; });
      count.textContent = shown + " of " + rows.length;
    };
    find.addEventListener("input", filter);
    if (kind) kind.addEventListener("change", filter);
    filter();
  });
})();
