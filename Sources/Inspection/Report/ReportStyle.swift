/// The style of the page: light and dark, narrow, wide and in print; permitted by its hash.
package enum ReportStyle {
    static let text = """

        :root { color-scheme: light dark; \(DrawingStyle.light) }
        @media screen and (prefers-color-scheme: dark) { :root { \(DrawingStyle.dark) } }
        * { box-sizing: border-box; }
        html { font: 15px/1.5 system-ui, sans-serif; background: var(--ground); color: var(--ink); }
        body { margin: 0 auto; max-width: 84rem; padding: 1rem; }
        h1 { font-size: 1.3rem; margin: 0.5rem 0; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; margin: 1.5rem 0 0.5rem; }
        a { color: var(--accent); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        .skip { position: absolute; left: -99rem; }
        .skip:focus { position: static; }
        nav a { display: inline-block; padding: 0.3rem 0.6rem 0.3rem 0; }
        dl { display: flex; flex-wrap: wrap; gap: 0.4rem 2rem; margin: 0.5rem 0; }
        dt { color: var(--faint); font-size: 0.85rem; }
        dd { margin: 0; overflow-wrap: anywhere; }
        .remark, caption, time, .who { color: var(--faint); }
        .remark { font-size: 0.9rem; margin: 0.5rem 0; }
        .who { position: absolute; left: -99rem; }
        .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2rem; }
        #states { align-self: start; position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 0 0.3rem 1rem; }
        ol { list-style: none; margin: 0; padding: 0; position: relative; }
        #story { font-size: 1.05rem; max-width: 60rem; overflow-wrap: anywhere; }
        #story strong { display: block; }
        #steps ul { margin: 0; padding-left: 1.2rem; max-width: 60rem; }
        #steps li, #told span { overflow-wrap: anywhere; }
        .paper { display: none; }
        #told li { display: grid; grid-template-columns: 6rem minmax(0, 1fr); padding: 0.15rem 0.3rem; max-width: 60rem; }
        #timeline li { display: grid; grid-template-columns: 2.6rem 5.4rem 1.2rem minmax(0, 1fr); padding: 0.15rem 0.3rem; \
        border-left: 3px solid transparent; }
        #timeline li.fold { display: block; }
        .fold details { border: 0; }
        .fold summary { padding: 0; color: var(--faint); }
        li a { font-variant-numeric: tabular-nums; }
        li .words, td, th, pre { overflow-wrap: anywhere; }
        li.chosen { background: var(--mark); border-left-color: var(--accent); }
        .lane-psp .sign { color: var(--accent); }
        .lane-problem .sign, .lane-problem .words { color: var(--bad); }
        .lane-end .words { font-weight: bold; }
        time { font-size: 0.85rem; font-variant-numeric: tabular-nums; }
        label { display: block; }
        input[type="range"] { width: 100%; accent-color: var(--accent); }
        .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.3rem 0; }
        button { font: inherit; padding: 0.35rem 0.9rem; color: var(--ink); background: var(--box); \
        border: 1px solid var(--rule); border-radius: 4px; cursor: pointer; }
        #chosen { min-height: 3em; margin: 0.5rem 0; }
        table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
        caption { text-align: left; font-size: 0.85rem; }
        th, td { text-align: left; vertical-align: top; padding: 0.15rem 0.5rem 0.15rem 0; \
        border-bottom: 1px solid var(--rule); font-weight: normal; }
        th { color: var(--faint); width: 45%; }
        .changed { background: var(--mark); }
        .changed th, .changed td { color: var(--ink); }
        .gone td { text-decoration: line-through; color: var(--faint); }
        .scroll { overflow: auto; border: 1px solid var(--rule); border-radius: 4px; max-height: 90vh; }
        .scroll svg { display: block; min-width: 46rem; width: 100%; max-width: 84rem; height: auto; }
        details { border-bottom: 1px solid var(--rule); }
        summary { padding: 0.3rem 0; cursor: pointer; }
        pre { background: var(--box); padding: 0.6rem; white-space: pre-wrap; font-size: 0.85rem; margin: 0 0 0.6rem; }
        \(DrawingStyle.rules)
        .d-now .d-mark { fill: var(--mark); }
        .d-now .d-text { stroke: none; }
        [hidden] { display: none !important; }
        @media (max-width: 55rem) {
        .columns { grid-template-columns: minmax(0, 1fr); }
        #states { position: static; max-height: none; }
        }
        @media print {
        body { max-width: none; padding: 0; }
        .skip, nav, #controls, #raw { display: none; }
        html:not([data-print="all"]) :is(#states, #diagram, #events) { display: none; }
        html:not([data-print="all"]) .paper { display: block; }
        html { font-size: 10pt; line-height: 1.35; }
        #timeline li { padding: 0 0.3rem; grid-template-columns: 2.2rem 4.6rem 1rem minmax(0, 1fr); }
        .columns { display: block; }
        #states { position: static; max-height: none; overflow: visible; }
        .scroll { overflow: visible; max-height: none; border: 0; }
        .scroll svg { min-width: 0; }
        h2 { margin: 0.8rem 0 0.3rem; break-after: avoid; }
        li, tr, summary { break-inside: avoid; }
        .changed, li.chosen { background: none; }
        }

        """
}
