/** The style of the page: light and dark colours first, then the elements from top to bottom. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: #f5f6f8; --card: #ffffff; --sunk: #f7f8fa; --ink: #1b2029; --quiet: #596273; --line: #dfe3e9; --link: #1f5fbf;
  --fail: #b4232a; --fail-bg: #fdeceb; --error: #9a2a78; --error-bg: #faeaf5; --blocked: #5a4aa8; --blocked-bg: #efedfb;
  --warn: #855300; --warn-bg: #fff3d9; --pass: #176b3a; --pass-bg: #e4f4ea; --na: #596273; --na-bg: #eceff3;
  --key: #7a3e9d; --string: #17663a; --number: #1f5fbf;
  --sans: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12151a; --card: #1a1e25; --sunk: #14181e; --ink: #e5e8ed; --quiet: #a0a9b8; --line: #2d343f; --link: #8ab8ff;
    --fail: #ff9c94; --fail-bg: #3b1a1b; --error: #f2a1d6; --error-bg: #381a2f; --blocked: #beb3f7; --blocked-bg: #282348;
    --warn: #f2c46d; --warn-bg: #362a10; --pass: #84d5a0; --pass-bg: #143120; --na: #a0a9b8; --na-bg: #272d37;
    --key: #d3a6ee; --string: #93d6ab; --number: #8ab8ff;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 5rem; }
body { margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 4rem; background: var(--bg); color: var(--ink);
  font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
main:focus { outline: none; }
a { color: var(--link); text-underline-offset: .18em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
h1, h2, h3, h4, p, dl, dd, ul, ol, pre, blockquote { margin: 0; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { font-size: 1.06rem; line-height: 1.4; }
h4, .part { font-size: .85rem; color: var(--quiet); margin-top: 1.25rem; }
.part { font-weight: 600; }
code, pre, .url { font-family: var(--mono); font-size: .82rem; unicode-bidi: isolate; }
pre { white-space: pre-wrap; line-height: 1.5; tab-size: 2; }
.quiet { color: var(--quiet); font-size: .85rem; }
.url { word-break: break-all; }
.origin { color: var(--quiet); }
.trail .origin { display: none; }
.trail .exchange .origin { display: inline; }
.quiet code { font-size: .78rem; }
.sr:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.eyebrow { color: var(--quiet); font-size: .85rem; margin-bottom: .25rem; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2.25rem; margin-top: 1.1rem; }
.facts dt { color: var(--quiet); font-size: .78rem; }
.facts dd { font-size: .92rem; }

.verdict { display: flex; gap: 1.25rem; align-items: center; margin: 1.75rem 0 1.25rem; padding: 1.35rem 1.5rem; border-radius: 14px;
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent); }
.verdict h2 { font-size: 1.6rem; }
.verdict p { color: var(--ink); margin-top: .2rem; }
.badge { flex: none; width: 3.25rem; height: 3.25rem; border-radius: 50%; background: currentColor; display: grid; place-items: center; }
.badge svg { width: 2rem; fill: none; stroke: var(--card); stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; }
.verdict.conformant, .verdict.passed { color: var(--pass); background: var(--pass-bg); }
.verdict.non-conformant { color: var(--fail); background: var(--fail-bg); }
.verdict.inconclusive { color: var(--blocked); background: var(--blocked-bg); }

.bar { display: block; width: 100%; height: .6rem; border-radius: 99px; background: var(--na-bg); }
.bar .fail { fill: var(--fail); } .bar .error { fill: var(--error); } .bar .blocked { fill: var(--blocked); }
.bar .warn { fill: var(--warn); } .bar .pass { fill: var(--pass); } .bar .not-applicable { fill: var(--na); opacity: .5; }
.tiles { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(6, 1fr); gap: .6rem; margin: .9rem 0 .7rem; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; font-size: .85rem; overflow: hidden; }
.tile a { display: block; padding: .6rem .85rem; color: inherit; text-decoration: none; }
.tile a:hover { background: var(--sunk); text-decoration: underline; }
.tile b { display: block; font-size: 1.45rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile.none { padding: .6rem .85rem; color: var(--quiet); background: none; }
.tile.none b { font-weight: 500; }
.tile.fail { color: var(--fail); } .tile.error { color: var(--error); } .tile.blocked { color: var(--blocked); }
.tile.warn { color: var(--warn); } .tile.pass { color: var(--pass); } .tile.not-applicable { color: var(--na); }

#filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin: 1.5rem -.5rem 0;
  padding: .7rem .5rem; background: var(--bg); border-bottom: 1px solid var(--line); }
#filter input { flex: 1 1 8rem; min-width: 0; padding: .45rem .75rem; font: inherit; font-size: .9rem; color: var(--ink);
  background: var(--card); border: 1px solid color-mix(in srgb, var(--quiet) 70%, var(--line)); border-radius: 8px; }
#filter input::placeholder { color: var(--quiet); opacity: 1; }
.toggles { display: flex; flex-wrap: wrap; gap: .3rem; }
.toggle, .copy, .clear { font: inherit; font-size: .82rem; padding: .3rem .65rem; border-radius: 99px; cursor: pointer; color: var(--ink);
  background: var(--card); border: 1px solid var(--line); }
.toggle:hover, .copy:hover, .clear:hover { border-color: var(--quiet); }
.toggle[aria-pressed=true] { color: var(--card); background: var(--ink); border-color: var(--ink); }
#filter output { color: var(--quiet); font-size: .82rem; font-variant-numeric: tabular-nums; }
.clear { visibility: hidden; }
.active .clear { visibility: visible; }

section { margin-top: 2.5rem; }
.verdict, .verdict + section { margin-top: 1.5rem; }
.verdict + section { margin-top: 0; }
.count { color: var(--quiet); font-size: .85rem; font-weight: 400; letter-spacing: 0; margin-left: .35rem; white-space: nowrap; }
.lead { color: var(--quiet); margin-top: .2rem; font-size: .92rem; }
.card { position: relative; margin-top: 1rem; padding: 1.25rem 1.5rem 1.35rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; overflow: hidden; }
.card.fail, .card.error, .card.blocked, .card.warn { padding-left: 1.75rem; }
.card.fail::before, .card.error::before, .card.blocked::before, .card.warn::before { content: ''; position: absolute; inset: 0 auto 0 0; width: 4px; }
.card.fail::before { background: var(--fail); } .card.error::before { background: var(--error); }
.card.blocked::before { background: var(--blocked); } .card.warn::before { background: var(--warn); }
:target.card, li:target { box-shadow: 0 0 0 2px var(--link); }
.not-judged { margin: 0 0 1.25rem; padding: .9rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
.not-judged h3 { font-size: .92rem; } .not-judged ul { padding-left: 1.2rem; font-size: .9rem; margin-top: .2rem; }
.script > summary { margin-top: .45rem; }
.leftovers > li { padding: .3rem 0; }
.cause + .cause { margin-top: 2rem; }
.card > summary { list-style: none; }
.card > summary::-webkit-details-marker { display: none; }
.card .title { display: block; font-size: 1.06rem; font-weight: 600; line-height: 1.4; }
.card:not([open]) > summary .title { font-weight: 400; }
.tags { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; margin-bottom: .35rem; }
.chip { display: inline-block; flex: none; padding: .06rem .55rem; border-radius: 99px; font-size: .76rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.chip.fail { color: var(--fail); background: var(--fail-bg); } .chip.error { color: var(--error); background: var(--error-bg); }
.chip.blocked { color: var(--blocked); background: var(--blocked-bg); } .chip.warn { color: var(--warn); background: var(--warn-bg); }
.chip.pass { color: var(--pass); background: var(--pass-bg); }
.chip.not-applicable, .chip.not-selected { color: var(--na); background: var(--na-bg); }
.chip.not-selected { background: none; box-shadow: inset 0 0 0 1px var(--line); }
blockquote { margin-top: .6rem; padding-left: .9rem; border-left: 2px solid var(--line); }
blockquote footer { color: var(--quiet); font-size: .82rem; margin-top: .1rem; }
.contrast { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1rem; }
.contrast:empty { display: none; }
.contrast > div { padding: .6rem .85rem .7rem; border-radius: 8px; background: var(--sunk); border: 1px solid var(--line); }
.contrast > :only-child { grid-column: 1 / -1; }
.contrast dt { font-size: .78rem; color: var(--quiet); }
.contrast dd { white-space: pre-wrap; font-size: .93rem; }
.contrast .expected dt { color: var(--pass); } .fail .contrast .actual dt { color: var(--fail); } .warn .contrast .actual dt { color: var(--warn); }
.reason { margin-top: .75rem; white-space: pre-wrap; }

.exchange { margin-top: .45rem; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--sunk); }
.exchange .caption { padding: .4rem .85rem; font-size: .85rem; border-bottom: 1px solid var(--line); }
.panes { display: grid; grid-template-columns: 1fr 1fr; }
.pane { padding: .65rem .85rem .8rem; min-width: 0; }
.pane + .pane { border-left: 1px solid var(--line); }
.line { font-size: .88rem; }
.line .quiet { font-size: .78rem; }
.headers { color: var(--quiet); font-size: .76rem; margin-top: .4rem; }
.headers .k { color: var(--ink); }
.body { margin-top: .55rem; padding-top: .55rem; border-top: 1px dashed var(--line); }
.pane p + .body { border-top: 0; padding-top: 0; }
.pane > .line + .quiet { margin-top: .4rem; }
.long { max-height: 30rem; overflow: auto; }
.k { color: var(--key); } .s { color: var(--string); } .n { color: var(--number); }
.status { font-family: var(--mono); font-variant-numeric: tabular-nums; }
.s0, .s5 { color: var(--fail); } .s4 { color: var(--warn); } .s2 { color: var(--pass); } .s3 { color: var(--blocked); }
.curl { display: flex; gap: .75rem; align-items: flex-start; margin-top: .45rem; padding: .65rem .85rem; border-radius: 8px; background: var(--sunk); border: 1px solid var(--line); }
.curl pre { flex: 1; min-width: 0; }
.copy { flex: none; min-width: 5.2rem; }
summary { cursor: pointer; }
.trail, .card.blocked > details { margin-top: .8rem; font-size: .88rem; }
.trail > summary, .card.blocked > details > summary { color: var(--quiet); width: fit-content; }
.trail summary:hover { text-decoration: underline; }
.trail ol { padding-left: 1.6rem; margin-top: .35rem; }
.trail ol > li { padding: .1rem 0; }
.trail .url { margin-right: .35rem; }
.plain { list-style: none; padding: 0; }
.card.blocked .plain { margin-top: .4rem; }
.card.blocked .plain > li { padding: .3rem 0; border-top: 1px solid var(--line); }
.card.blocked .plain > li:first-child { border-top: 0; }
.card.blocked .plain code { margin-right: .4rem; }
.trail .exchange { margin-bottom: .6rem; }
.plain .trail { margin-top: .1rem; font-size: .82rem; }

.area { margin-top: .6rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.area > summary { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .8rem 1.25rem; list-style: none; }
.area > summary::-webkit-details-marker { display: none; }
.area > summary::before { content: ''; width: .45rem; height: .45rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.area[open] > summary::before { transform: rotate(45deg); }
.area > summary h3 { flex: 1 1 9rem; }
.area > summary h3::first-letter { text-transform: uppercase; }
.chips { display: flex; flex-wrap: wrap; gap: .3rem; }
.requirement { padding: .9rem 1.25rem 1rem; border-top: 1px solid var(--line); }
.checks { margin-top: .5rem; }
.checks > li { display: flex; gap: .7rem; align-items: baseline; padding: .3rem 0; font-size: .93rem; }
.checks > li > div { min-width: 0; }

.graph svg { width: 100%; height: auto; } .graph text { font: 12px var(--sans); fill: var(--ink); }
.node rect { fill: var(--sunk); stroke: var(--quiet); } .node text { font-weight: 600; }
.edge line { stroke: var(--na); stroke-width: 2; } .edge.pass line { stroke: var(--pass); } .edge.fail line { stroke: var(--fail); stroke-width: 3; }
.edge.blocked line { stroke: var(--blocked); } .edge.warn line { stroke: var(--warn); } .edge.error line { stroke: var(--error); }
.wide { overflow-x: auto; margin-top: .75rem; } .wide .quiet { display: block; font-size: .72rem; }
.wide td, .wide th { white-space: nowrap; overflow-wrap: normal; padding-right: 1rem; }
.map > div { display: flex; gap: 1rem; align-items: center; padding: .2rem 0; } .map dt { flex: 0 0 9rem; font-size: .85rem; }
.map dd { display: flex; flex-wrap: wrap; gap: .3rem; }
.square { width: 1.5rem; height: 1.5rem; border-radius: 5px; border: 2px solid currentColor; background: currentColor; color: var(--na); }
.square.implied { border-style: dashed; } .square.observed { border-style: dotted; background: none; } .square.not-selected { background: none; }
.square.pass { color: var(--pass); } .square.fail { color: var(--fail); } .square.blocked { color: var(--blocked); }
.square.warn { color: var(--warn); } .square.error { color: var(--error); }
.square.implied, .square.implied { background: color-mix(in srgb, currentColor 45%, transparent); }
.waterfall { margin-bottom: 1rem; } .waterfall > div { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1rem; padding: .15rem 0; } .waterfall dt { font-size: .85rem; }
.waterfall svg { display: block; width: 100%; height: .6rem; background: var(--sunk); } .waterfall rect { fill: var(--link); }
#timings th[scope=row] { color: var(--ink); font: inherit; font-size: .9rem; }
.observations > div { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: .3rem 1.5rem; padding: .6rem 0; border-top: 1px solid var(--line); }
.observations > div:first-child { border-top: 0; padding-top: 0; }
.observations > div:last-child { padding-bottom: 0; }
.observations code { color: var(--quiet); font-size: .76rem; }
.observations dd { font: .85rem/1.5 var(--mono); white-space: pre-wrap; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th { text-align: left; color: var(--quiet); font-size: .78rem; font-weight: 400; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; padding-top: 0; }
.colophon { margin-top: 3rem; padding-top: .5rem; border-top: 1px solid var(--line); }

@media (max-width: 46rem) {
  body { padding: 1.25rem .9rem 3rem; }
  html { scroll-padding-top: 1rem; }
  h1 { font-size: 1.6rem; }
  #filter { position: static; }
  #filter input { flex-basis: 100%; }
  .verdict { padding: 1rem; gap: .9rem; align-items: flex-start; }
  .verdict h2 { font-size: 1.3rem; line-height: 1.2; }
  .badge { width: 2.4rem; height: 2.4rem; } .badge svg { width: 1.5rem; }
  .tiles { grid-template-columns: repeat(3, 1fr); }
  .card { padding: 1rem; } .card.fail, .card.error, .card.blocked, .card.warn { padding-left: 1.15rem; }
  .facts { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem 1rem; }
  .facts > :first-child { grid-column: 1 / -1; }
  .contrast, .panes, .observations > div { grid-template-columns: 1fr; }
  .pane + .pane { border-left: 0; border-top: 1px solid var(--line); }
  .curl { flex-direction: column; gap: .5rem; }
  .checks > li { flex-direction: column; gap: .15rem; }
  .requirement, .area > summary { padding-left: 1rem; padding-right: 1rem; }
}
@media print {
  body { max-width: none; padding: 0; background: #fff; font-size: .72rem; line-height: 1.35; }
  #filter, .copy, .trail, .script, .leftovers .curl, .sr, .lead, details.card:not([open]) > :not(summary) { display: none; }
  .card, .requirement { break-inside: avoid; } .long { max-height: none; }
  .card { padding: .6rem .9rem; } section { margin-top: 1rem; } h2 { font-size: 1rem; } .area > summary { padding: .3rem .6rem; }
  .area::details-content { content-visibility: visible; block-size: auto; }
  .requirements { columns: 3; column-gap: .8rem; line-height: 1.2; }
  .requirement { padding: .12rem .3rem; border: 0; } .requirement .quiet { display: none; } .requirement > p { font-size: .6rem; }
  .tags { margin: 0; } .chip { padding: 0 .3rem; font-size: .48rem; line-height: 1.2; }
  .checks { margin: 0; } .checks > li { padding: 0; gap: .2rem; font-size: .52rem; }
  .checks > li > div { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .observations { columns: 2; column-gap: 1rem; } .observations > div { display: block; padding: .15rem 0; break-inside: avoid; } .observations dd { font-size: .6rem; }
  .square { width: .9rem; height: .9rem; } .map > div { padding: 0; } th, td { padding: .1rem .5rem .1rem 0; font-size: .65rem; } .waterfall > div { padding: 0; }
}
`;
