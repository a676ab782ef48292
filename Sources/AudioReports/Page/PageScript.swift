// SPDX-License-Identifier: Apache-2.0

enum PageScript {
    /// Shows the values under the pointer, and moves it with keys.
    static let cursor = """
        "use strict";
        for (const section of document.querySelectorAll("section[data-columns]")) {
          const columns = Number(section.dataset.columns), seconds = Number(section.dataset.seconds);
          const left = 52, width = 964, data = JSON.parse(section.querySelector("script").textContent);
          const figures = [...section.querySelectorAll("figure")].map(element => ({
            element, data: data[element.dataset.figure], svg: element.querySelector("svg"),
            output: element.querySelector("output"), cursor: element.querySelector(".cursor")
          }));
          for (const figure of figures.filter(figure => figure.data.map)) loadPixels(figure);
          let column = null, height = null;
          const number = (value, digits) => value === null || value === undefined ? "–" :
            value.toFixed(digits).replace("-", "−");
          const time = at => {
            const digits = seconds < 10 ? 3 : seconds < 600 ? 1 : 0;
            const whole = Math.floor(at / 60), rest = (at - 60 * whole).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
            return whole >= 60 ? Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0") + ":" + rest : whole + ":" + rest;
          };
          const text = (figure, isCurrent) => {
            const part = (column + 0.5) / columns, values = [];
            for (const line of figure.data.series ?? []) {
              const value = line.v[Math.min(line.v.length - 1, Math.floor(part * line.v.length))];
              values.push(line.n + " " + number(value, line.d) + (line.u && value !== null ? " " + line.u : ""));
            }
            const map = figure.data.map;
            if (map && isCurrent && height !== null && figure.pixels) {
              const rows = figure.pixels.height, row = Math.min(rows - 1, Math.max(0, Math.floor((1 - height) * rows)));
              const low = map.e[row], high = map.e[row + 1], index = figure.pixels.at(part, rows - 1 - row);
              values.push(number((low + high) / 2, Math.abs(high) < 100 ? 2 : 0) + " " + map.eu);
              values.push(index === undefined ? "not measured" : index <= 0 ? "below " + number(map.lo, 0) + " " + map.u :
                number(map.lo + (index + 0.5) / map.p.length * (map.hi - map.lo), 0) + " " + map.u);
            }
            return time(part * seconds) + (values.length ? "   " + values.join("   ") : "");
          };
          const show = current => {
            for (const figure of figures) {
              if (column === null) { figure.output.textContent = ""; figure.cursor.style.visibility = "hidden"; continue; }
              const x = left + (column + 0.5) / columns * width;
              figure.cursor.setAttribute("x1", x);
              figure.cursor.setAttribute("x2", x);
              figure.cursor.style.visibility = "visible";
              figure.output.textContent = text(figure, figure === current);
            }
          };
          for (const figure of figures) {
            figure.svg.addEventListener("pointermove", event => {
              const box = figure.svg.getBoundingClientRect(), scale = 1080 / box.width;
              const part = ((event.clientX - box.left) * scale - left) / width;
              if (part < 0 || part >= 1) return;
              column = Math.floor(part * columns);
              const map = figure.data.map;
              height = map ? 1 - ((event.clientY - box.top) * scale - map.top) / (map.bottom - map.top) : null;
              if (height !== null && (height < 0 || height > 1)) height = null;
              show(figure);
            });
            figure.svg.addEventListener("pointerleave", () => { column = height = null; show(figure); });
            figure.element.addEventListener("keydown", event => {
              const step = event.shiftKey ? Math.max(1, Math.round(columns / 20)) : 1;
              const map = figure.data.map, now = column ?? Math.floor(columns / 2);
              if (event.key === "ArrowRight") column = Math.min(columns - 1, column === null ? now : now + step);
              else if (event.key === "ArrowLeft") column = Math.max(0, column === null ? now : now - step);
              else if (event.key === "Home") column = 0;
              else if (event.key === "End") column = columns - 1;
              else if (event.key === "Escape") column = height = null;
              else if (map && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
                const rows = map.e.length - 1, move = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1);
                column = now;
                height = Math.min(1, Math.max(0, (Math.floor((height ?? 0.5) * rows) + move + 0.5) / rows));
              } else return;
              if (map && column !== null && height === null) height = 0.5;
              event.preventDefault();
              show(figure);
            });
            figure.element.addEventListener("blur", () => { column = height = null; show(figure); });
          }
        }
        function loadPixels(figure) {
          const image = new Image();
          image.onload = () => {
            const canvas = document.createElement("canvas");
            canvas.width = image.width;
            canvas.height = image.height;
            const context = canvas.getContext("2d", { willReadFrequently: true });
            context.drawImage(image, 0, 0);
            const colors = new Map(figure.data.map.p.map((color, index) => [parseInt(color.slice(1), 16), index]));
            figure.pixels = { height: image.height, at: (part, row) => {
              const pixel = context.getImageData(Math.min(image.width - 1, Math.floor(part * image.width)), row, 1, 1).data;
              return colors.get(pixel[0] << 16 | pixel[1] << 8 | pixel[2]);
            } };
          };
          image.src = figure.svg.querySelector("image").getAttribute("href");
        }

        """

    /// Shows the view of a figure when its button is pressed.
    static let views = """
        "use strict";
        for (const group of document.querySelectorAll(".views")) {
          for (const button of group.querySelectorAll("button")) button.addEventListener("click", () => {
            for (const other of group.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
            for (const figure of group.querySelectorAll("figure")) figure.hidden = figure.dataset.figure !== button.dataset.view;
          });
        }

        """

    /// Sorts a table by a pressed heading.
    static let sorting = """
        "use strict";
        for (const table of document.querySelectorAll("table.sorted")) {
          const headings = [...table.querySelectorAll("th")], body = table.tBodies[0];
          headings.forEach((heading, index) => heading.querySelector("button").addEventListener("click", () => {
            const falls = heading.getAttribute("aria-sort") === "ascending";
            for (const other of headings) other.removeAttribute("aria-sort");
            heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
            const value = row => row.cells[index].dataset.value ?? row.cells[index].textContent;
            const isNumber = heading.classList.contains("n");
            const compare = (a, b) => {
              const x = value(a), y = value(b);
              // Unknown values are last in both directions.
              if (isNumber && (x === "" || y === "")) return (x === "") - (y === "");
              const order = isNumber ? Number(x) - Number(y) : x.localeCompare(y);
              return falls ? -order : order;
            };
            body.append(...[...body.rows].sort(compare));
          }));
        }

        """
}
