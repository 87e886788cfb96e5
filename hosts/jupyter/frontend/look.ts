import type { XylemViewer } from '../../../web/element/one-file';
import { takeColours } from '../../theme';

/** Gives the viewer the colours of the notebook, now and when they change. Returns a function that ends this. */
export function followTheme(viewer: XylemViewer, chosen: () => string): () => void {
  takeColours(viewer);
  const follow = () => {
    const theme = chosen();
    const next = theme === 'light' || theme === 'dark' ? theme : themeOfPage();
    if (viewer.theme !== next) viewer.theme = next;
  };
  follow();
  const observer = new MutationObserver(follow);
  const filter = ['class', 'data-jp-theme-light', 'data-theme', 'data-vscode-theme-kind'];
  for (const target of [document.body, document.documentElement])
    observer.observe(target, { attributes: true, attributeFilter: filter });
  return () => observer.disconnect();
}

/** Returns the theme that the notebook's page names. */
function themeOfPage(): XylemViewer['theme'] {
  const { body, documentElement } = document;
  const { jpThemeLight, vscodeThemeKind = '' } = body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === 'true' ? 'light' : 'dark';
  if (vscodeThemeKind !== '') return vscodeThemeKind.includes('dark') ? 'dark' : 'light';
  const classes = `${body.className} ${documentElement.className} ${body.dataset.theme ?? ''}`;
  if (/(^|[\s-])dark(\s|-theme|$)/.test(classes)) return 'dark';
  return /(^|[\s-])light(\s|-theme|$)/.test(classes) ? 'light' : 'system';
}
