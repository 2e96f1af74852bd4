"""How the page of the kill matrix looks, and the little that it does."""

STYLE = """
:root {
  color-scheme: light dark;
  --back: #fff; --text: #1d2127; --faint: #646c76; --line: #d9dde2; --panel: #f5f6f8;
  --value: #1f7a3d; --refusal: #2b6cb0; --crash: #b7791f; --timeout: #b83280;
  --settled: #c4e3cd; --pass: #e3e7ec; --same: transparent;
  --bad: #b42318; --added: #e2f5e7; --removed: #fde5e3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #15181c; --text: #e3e6ea; --faint: #98a1ab; --line: #343a41; --panel: #1d2126;
    --value: #2f9e55; --refusal: #4a8fd6; --crash: #c98a2b; --timeout: #d0529b;
    --settled: #1d4429; --pass: #2b3138; --bad: #f0655a; --added: #173824; --removed: #45201e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem; max-width: 125rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif;
}
h1 { margin: 0 0 .25rem; font-size: 1.6rem; }
h2 { margin: 2rem 0 .75rem; font-size: 1.2rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
a { color: inherit; text-decoration-color: var(--faint); }
ul { margin: .4rem 0; }
summary { cursor: pointer; }
.summary { padding: .25rem 1rem; border-left: 4px solid var(--value); background: var(--panel); }
.summary.status1, .summary.status2 { border-color: var(--bad); }
.summary p { margin: .5rem 0; }
.summary details { margin: .5rem 0; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; padding: 0; list-style: none; }
.mark {
  display: inline-block; min-width: 1.6em; padding: 0 .4em; border-radius: 3px; font-size: 13px;
  text-align: center; min-height: 1.5em; vertical-align: middle;
}
.value { background: var(--value); color: #fff; }
.refusal { background: var(--refusal); color: #fff; }
.crash { background: var(--crash); color: #fff; }
.timeout { background: var(--timeout); color: #fff; }
.pass { background: var(--pass); color: var(--faint); }
.settled { background: var(--settled); }
.same, .none { background: var(--same); }
.mark.same, .mark.none { border: 1px solid var(--line); }
.scroll { overflow-x: auto; }
.map { border-collapse: separate; border-spacing: 1px; font-size: 12px; line-height: 1.3; }
.map th { font-weight: normal; text-align: left; white-space: nowrap; }
.map thead th { vertical-align: bottom; }
.map .bands th { padding: 0 .2rem; border-bottom: 2px solid var(--line); color: var(--faint); }
.map .bands div {
  width: 0; min-width: 100%; overflow: hidden; text-overflow: ellipsis;
}
.map .name { height: 11.5rem; padding: .3rem 0; }
.map .name span { writing-mode: vertical-rl; transform: rotate(180deg); }
.map .needed { font-weight: bold; }
.map tbody th, .map .corner {
  position: sticky; left: 0; z-index: 1; padding: 0 .6rem 0 0; background: var(--back);
}
.map .kind th { padding: .6rem 0 .2rem; font-weight: bold; }
.map td {
  width: 1.9rem; min-width: 1.9rem; height: 1.45rem; text-align: center; cursor: default;
  box-shadow: inset 0 0 0 1px var(--line); border-radius: 2px;
}
.map td.start, .map td.start + td.start { border-left: 3px solid var(--back); }
.map tr.copy:hover th { background: var(--panel); }
details.copy { border-top: 1px solid var(--line); padding: .35rem 0; }
details.copy > :not(summary) { margin-left: 1rem; }
.trials td { padding: .1rem .6rem .1rem 0; vertical-align: top; font-size: 13px; }
pre { overflow-x: auto; padding: .6rem .8rem; background: var(--panel); }
.added { background: var(--added); }
.removed { background: var(--removed); }
.hunk { color: var(--faint); }
.filter input { font: inherit; padding: .15rem .4rem; }
"""

SCRIPT = """
const filter = document.querySelector('.filter');
filter.hidden = false;
const shown = new Map();
for (const row of document.querySelectorAll('tr.copy'))
  shown.set(row, row.querySelector('th').textContent + ' ' + row.querySelector('th').title);
for (const one of document.querySelectorAll('details.copy'))
  shown.set(one, one.querySelector('summary').textContent);
filter.querySelector('input').addEventListener('input', event => {
  const wanted = event.target.value.toLowerCase();
  for (const [element, text] of shown) element.hidden = !text.toLowerCase().includes(wanted);
});
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) { target.open = true; target.scrollIntoView(); }
}
addEventListener('hashchange', openTarget);
openTarget();
"""
