import { escapeXml } from '../drawing/drawing';
import type { Film } from './film';
import { filmPainter } from './film-painter';
import { playFilm } from './film-player';

const STYLE = `:root{color-scheme:light dark;--line:#c9d1cb;--muted:#57655d}
body{font:15px/1.5 ui-sans-serif,system-ui,sans-serif;max-width:72rem;margin:1.5rem auto;padding:0 1rem;color:#1c2621;background:#fff}
h1{font-size:1.25rem;overflow-wrap:anywhere}.film canvas{display:block;width:100%}.film input{width:100%;margin:.5rem 0}
.film-read{min-height:3em;margin:.5rem 0 0;overflow-wrap:anywhere}.film-legend{margin:.5rem 0;color:var(--muted);font-size:.9rem}.swatch{display:inline-block;width:.75em;height:.75em;margin-left:.75em;border-radius:2px}
.film-bar{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}
.film-bar button,.film-bar select{font:inherit;padding:.3rem .9rem}.film-clock,.note{color:var(--muted)}
@media(prefers-color-scheme:dark){:root{--muted:#9db0a6}body{color:#e4eae6;background:#161c19}}`;

/**
 * A film as a page of one file with its player, which needs neither network nor server. Nothing that a file or a trace
 * says becomes markup or script: names are escaped, and all else is data.
 */
export function filmHtml(film: Film): string {
  // No "<" of the data can end its element, and no separator of lines a text of the script.
  const data = JSON.stringify(film).replace(
    /[<\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const script = `const film = JSON.parse(document.getElementById('film').textContent);
const dark = matchMedia('(prefers-color-scheme: dark)');
const player = (${playFilm})(document.querySelector('main'), film, { dark: dark.matches }, ${filmPainter});
dark.addEventListener('change', () => player.update({ dark: dark.matches }));`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeXml(film.title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeXml(film.title)}</h1>
<main></main>
${film.notes.map((note) => `<p class="note">${escapeXml(note)}</p>`).join('\n')}
<script type="application/json" id="film">${data}</script>
<script>${script}</script>
</body></html>
`;
}
