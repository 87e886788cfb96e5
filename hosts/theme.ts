/** Colours of the viewer, taken from VS Code or JupyterLab. A page with neither keeps the viewer's own colours. */
const COLOURS: Record<string, { code: string; jupyter?: string }> = {
  ground: { code: 'editor-background', jupyter: 'layout-color0' },
  surface: { code: 'editor-background', jupyter: 'layout-color0' },
  raised: { code: 'editorWidget-background', jupyter: 'layout-color1' },
  ink: { code: 'editor-foreground', jupyter: 'content-font-color1' },
  muted: { code: 'descriptionForeground', jupyter: 'content-font-color2' },
  line: { code: 'editorWidget-border', jupyter: 'border-color2' },
  hover: { code: 'list-hoverBackground', jupyter: 'layout-color2' },
  chosen: { code: 'list-inactiveSelectionBackground' },
  // Buttons of VS Code are too dark for text on a dark ground, links are not.
  accent: { code: 'textLink-foreground' },
  'accent-ink': { code: 'editor-background' },
  'accent-soft': { code: 'list-inactiveSelectionBackground' },
  focus: { code: 'focusBorder' },
  danger: { code: 'errorForeground' },
  'danger-soft': { code: 'inputValidation-errorBackground' },
  'plot-line': { code: 'textLink-foreground' },
  'plot-axis': { code: 'descriptionForeground' },
  'plot-grid': { code: 'editorWidget-border' },
};

/** Gives a viewer the colours of the program around it, which follow its theme. */
export function takeColours({ style }: HTMLElement): void {
  for (const [name, { code, jupyter }] of Object.entries(COLOURS)) {
    const own = `var(--vscode-${code})`;
    style.setProperty(`--xylem-${name}`, jupyter === undefined ? own : `var(--jp-${jupyter}, ${own})`);
  }
  const line = 'var(--vscode-textLink-foreground)';
  style.setProperty('--xylem-plot-fill', `color-mix(in srgb, ${line} 15%, transparent)`);
}
