import type { XylemViewer } from '../../../web/element/one-file';

/** Colours of the viewer, from those of JupyterLab and of VS Code; where a page has neither, the viewer has its own. */
const COLOURS: Record<string, [jupyter: string, code: string]> = {
  ground: ['layout-color0', 'editor-background'],
  surface: ['layout-color0', 'editor-background'],
  raised: ['layout-color1', 'editorWidget-background'],
  ink: ['content-font-color1', 'editor-foreground'],
  muted: ['content-font-color2', 'descriptionForeground'],
  line: ['border-color2', 'editorWidget-border'],
  hover: ['layout-color2', 'list-hoverBackground'],
};

/** Gives the viewer the colours of the notebook, now and when they change; returns what ends that. */
export function followTheme(viewer: XylemViewer, chosen: () => string): () => void {
  for (const [name, [jupyter, code]] of Object.entries(COLOURS))
    viewer.style.setProperty(`--xylem-${name}`, `var(--jp-${jupyter}, var(--vscode-${code}))`);
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

/** The theme as notebooks say it of their page. */
function themeOfPage(): XylemViewer['theme'] {
  const { body, documentElement } = document;
  const { jpThemeLight, vscodeThemeKind = '' } = body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === 'true' ? 'light' : 'dark';
  if (vscodeThemeKind !== '') return vscodeThemeKind.includes('dark') ? 'dark' : 'light';
  const classes = `${body.className} ${documentElement.className} ${body.dataset.theme ?? ''}`;
  if (/(^|[\s-])dark(\s|-theme|$)/.test(classes)) return 'dark';
  return /(^|[\s-])light(\s|-theme|$)/.test(classes) ? 'light' : 'system';
}
