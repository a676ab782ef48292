// SPDX-License-Identifier: Apache-2.0

enum PageStyle {
    /// The colors of drawings in light and dark mode.
    ///
    /// Line colors are from M. Okabe and K. Ito, distinguishable for color-blind readers.
    static let drawing = """
        :root{--bg:#ffffff;--fg:#1b1f24;--muted:#5c6670;--line:#dfe3e8;--panel:#f6f7f9;--c1:#0072b2;--c2:#d55e00;--c3:#56b4e9;--wave:#9cc7e0;
        --area:#cfe3f0}
        @media (prefers-color-scheme:dark){:root{--bg:#101418;--fg:#e4e7ea;--muted:#9aa3ad;--line:#2b3239;--panel:#181d22;--c1:#56b4e9;--c2:#e69f00;
        --c3:#009e73;--wave:#2c5a75;--area:#1d3a4b}}
        @media print{:root{--bg:#ffffff;--fg:#000000;--muted:#444444;--line:#cccccc;--panel:#ffffff;--c1:#0072b2;--c2:#d55e00;--c3:#56b4e9;
        --wave:#9cc7e0;--area:#cfe3f0}}
        svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;fill:var(--muted)}
        svg .heading{font-size:15px;font-weight:600;fill:var(--fg)}
        svg .unit,svg .lane{fill:var(--fg)}
        svg .lane{font-size:11px}
        .grid{stroke:var(--line);stroke-width:1;fill:none}
        .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
        .thin{stroke-width:1.2}.dashed{stroke-dasharray:6 4;stroke-width:1.5}.dotted{stroke-dasharray:1 5;stroke-width:2.5}
        .c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.ink{stroke:var(--fg)}
        .wave{fill:var(--wave)}.wave-level{fill:var(--c1)}.area{fill:var(--area)}.solid{fill:var(--c1)}
        .outlined{stroke:var(--c1);stroke-width:1}
        .faint{stroke-width:1;opacity:.8}
        svg .second{fill:var(--c2)}
        .paper{fill:var(--bg)}

        """

    /// The styles of pages, in addition to ``drawing``.
    static let page = """
        *{box-sizing:border-box}
        html{color-scheme:light dark;-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;
        font-variant-numeric:tabular-nums}
        main,footer{max-width:1144px;margin:0 auto;padding:0 32px}
        header{max-width:1144px;margin:0 auto;padding:56px 32px 8px}
        h1{font-size:28px;line-height:1.25;font-weight:650;letter-spacing:-.01em;margin:0 0 4px;overflow-wrap:anywhere}
        h2{font-size:21px;line-height:1.3;font-weight:650;margin:72px 0 20px;overflow-wrap:anywhere}
        h3{font-size:16px;font-weight:600;margin:0}
        p{margin:0 0 12px}
        .lead,.note{color:var(--muted)}
        nav ul{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:20px 0 0;padding:0}
        a{color:var(--c1);text-underline-offset:3px}
        .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(230px,1fr));gap:18px 32px;margin:24px 0 8px}
        .facts dt{font-size:13px;color:var(--muted)}
        .facts dd{margin:0;overflow-wrap:anywhere}
        .facts .alarm{color:var(--c2);font-weight:600}
        figure{margin:44px 0 0;border-radius:6px;break-inside:avoid}
        figure:focus-visible{outline:2px solid var(--c1);outline-offset:10px}
        figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 24px;min-height:26px}
        figcaption output{font-size:13px;color:var(--fg);white-space:pre-wrap}
        figure svg{display:block;width:100%;height:auto;overflow:visible;touch-action:pan-y;cursor:crosshair}
        figure .caption{font-size:13px;color:var(--muted);margin:2px 0 0}
        .views{margin-top:44px}.views figure{margin-top:0}
        .buttons{display:flex;flex-wrap:wrap;gap:6px;margin-bottom:6px}
        .buttons button{font:inherit;font-size:13px;color:var(--fg);background:var(--panel);border:1px solid var(--line);border-radius:4px;
        padding:2px 10px;cursor:pointer}
        .buttons button[aria-pressed=true]{border-color:var(--c1);box-shadow:inset 0 -2px var(--c1)}
        .cursor{stroke:var(--fg);stroke-width:1;visibility:hidden;pointer-events:none}
        .on-image{stroke:#ffffff}
        .scroll{overflow-x:auto}
        .scroll,figure{background:linear-gradient(90deg,var(--bg) 30%,transparent) 0 0/40px 100% no-repeat local,
        linear-gradient(270deg,var(--bg) 30%,transparent) 100% 0/40px 100% no-repeat local,
        linear-gradient(90deg,rgba(128,128,128,.4),transparent) 0 0/12px 100% no-repeat scroll,
        linear-gradient(270deg,rgba(128,128,128,.4),transparent) 100% 0/12px 100% no-repeat scroll}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th{text-align:left;font-weight:600;font-size:13px;color:var(--muted);vertical-align:bottom}
        th,td{padding:7px 16px 7px 0;border-bottom:1px solid var(--line)}
        td.path,td.remark{overflow-wrap:anywhere;min-width:130px}td.path{min-width:180px}
        td.n,th.n{text-align:right;padding-right:20px}td.n{white-space:nowrap}
        .sorted th.n{max-width:112px}
        th button{all:unset;cursor:pointer;color:inherit}
        th button:focus-visible{outline:2px solid var(--c1);outline-offset:3px}
        th[aria-sort=ascending] button::after{content:" \\2191"}
        th[aria-sort=descending] button::after{content:" \\2193"}
        .alarm{color:var(--c2);font-weight:600}
        .side{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:8px 56px;align-items:start}
        section section{margin-top:48px}
        .tree ul{list-style:none;margin:0;padding-left:20px;border-left:1px solid var(--line)}
        .tree>ul{padding-left:0;border:0}
        .tree li{font-size:14px;line-height:1.75}
        .tree code{font:13px ui-monospace,"DejaVu Sans Mono",monospace;background:var(--panel);padding:1px 5px;border-radius:3px}
        .tree .note{font-size:13px}
        .cover{max-width:220px;max-height:220px;border-radius:6px;display:block;margin-bottom:16px}
        .bars rect{fill:var(--c1)}
        footer{color:var(--muted);font-size:13px;padding-top:56px;padding-bottom:48px}
        @media (max-width:700px){header,main,footer{padding-left:16px;padding-right:16px}
        .facts{grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:8px 20px;margin-top:16px}
        figure{overflow-x:auto}figure svg{min-width:900px;touch-action:pan-x pan-y}svg text{font-size:14px}
        figcaption,figure .caption{position:sticky;left:0;max-width:calc(100vw - 32px)}}
        @media print{body{font-size:11pt}header{padding-top:0}h2{margin-top:32px;break-after:avoid}figure{margin-top:24px}.keys,nav,
        figcaption output,.cursor,.buttons{display:none}.scroll{overflow:visible;background:none}table{font-size:8.5pt}
        th,td,td.n,th.n{padding-right:8px}td.path,td.remark{min-width:0}a{color:inherit;text-decoration:none}}

        """
}
