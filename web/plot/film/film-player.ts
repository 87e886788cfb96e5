import type { Film } from './film';
import type { FilmPainter, FilmView } from './film-painter';

/** A film on a page, with its buttons. */
export interface FilmPlayer {
  update(change: { film?: Film; dark?: boolean }): void;
  destroy(): void;
}

/**
 * Shows a film in an element, with its buttons: it follows the element's size. It begins at its end, where everything is
 * seen. Who wants little motion sees it read by read. A saved film has this function as text, so it uses nothing that lies
 * outside of it but what it is given.
 */
export function playFilm(
  host: HTMLElement,
  first: Film,
  options: { dark: boolean },
  painterOf: (film: Film, view: FilmView) => FilmPainter,
): FilmPlayer {
  let film = first;
  let { dark } = options;
  let time = film.end;
  /** Seconds that the whole takes; 0: as long as it took. */
  let whole = 15;
  let isPlaying = false;
  let last = 0;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let painter: FilmPainter | undefined;
  const doc = host.ownerDocument;
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const CALM_MS = 500;
  const CALM_STEPS = 60;

  const add = <K extends keyof HTMLElementTagNameMap>(parent: HTMLElement, name: K, text = '') => {
    const made = doc.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const root = add(host, 'div');
  root.className = 'film';
  const canvas = add(root, 'canvas');
  canvas.setAttribute('role', 'img');
  const legend = add(root, 'p');
  legend.className = 'film-legend';
  const readout = add(root, 'p');
  readout.className = 'film-read';
  const slider = add(root, 'input');
  slider.type = 'range';
  slider.min = '0';
  slider.step = 'any';
  slider.setAttribute('aria-label', 'Time');
  const bar = add(root, 'div');
  bar.className = 'film-bar';
  const button = (text: string, title: string, act: () => void) => {
    const made = add(bar, 'button', text);
    made.type = 'button';
    made.title = title;
    made.addEventListener('click', act);
    return made;
  };
  button('Back', 'To the read before (left arrow on the slider)', () => step(-1));
  const play = button('Play', '', () => (isPlaying ? pause() : start()));
  button('Next', 'To the next read (right arrow on the slider)', () => step(1));
  const label = add(bar, 'label', 'Speed ');
  const speed = add(label, 'select');
  const clock = add(bar, 'span');
  clock.className = 'film-clock';
  for (const [value, text] of [
    [5, 'whole in 5 s'],
    [15, 'whole in 15 s'],
    [60, 'whole in 60 s'],
    [0, 'as it was'],
  ] as const) {
    const option = add(speed, 'option', text);
    option.value = String(value);
  }
  speed.value = String(whole);
  speed.addEventListener('change', () => {
    whole = Number(speed.value);
  });
  slider.addEventListener('input', () => {
    pause();
    go(Number(slider.value));
  });
  slider.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    step(way);
  });

  function ends(): number[] {
    return film.reads.map(({ to }) => to).sort((a, b) => a - b);
  }

  function step(way: number): void {
    pause();
    const all = ends();
    const next = way > 0 ? all.find((at) => at > time) : all.reverse().find((at) => at < time);
    go(next ?? (way > 0 ? film.end : 0));
  }

  function start(): void {
    if (time >= film.end) time = 0;
    isPlaying = true;
    last = performance.now();
    if (calm.matches) timer = setTimeout(jump);
    else frame = requestAnimationFrame(tick);
    show();
  }

  function pause(): void {
    if (!isPlaying) return;
    isPlaying = false;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    show();
  }

  function tick(now: number): void {
    const perSecond = whole > 0 ? film.end / whole : film.unit === 's' ? 1 : 10;
    time = Math.min(film.end, time + (Math.max(0, now - last) / 1000) * perSecond);
    last = now;
    if (time >= film.end) pause();
    else frame = requestAnimationFrame(tick);
    show();
  }

  /** For those who want little motion: from picture to picture. */
  function jump(): void {
    const next = ends().find((at) => at > time) ?? film.end;
    time = Math.min(film.end, Math.max(next, time + film.end / CALM_STEPS));
    if (time >= film.end) pause();
    else timer = setTimeout(jump, CALM_MS);
    show();
  }

  function go(to: number): void {
    time = Math.min(film.end, Math.max(0, to));
    show();
  }

  function span(seconds: number): string {
    if (film.unit === 'reads') return `read ${Math.round(seconds)}`;
    return film.end < 1 ? `${Number((seconds * 1000).toFixed(1))} ms` : `${seconds.toFixed(2)} s`;
  }

  function show(): void {
    if (painter === undefined) return;
    painter.paint(canvas, time);
    const now = painter.current(time);
    const count = film.reads.filter(({ to }) => to <= time).length;
    const [one] = now;
    const about = one === undefined ? 'Nothing was read yet.' : (film.reads[one]?.text ?? '');
    readout.textContent = now.length > 1 ? `${about}; ${now.length - 1} more at once` : about;
    // While it plays, the words change too fast to be read out.
    readout.setAttribute('aria-live', isPlaying ? 'off' : 'polite');
    clock.textContent = `${span(time)} of ${span(film.end)} · ${count} of ${film.reads.length} reads done`;
    play.textContent = isPlaying ? 'Pause' : 'Play';
    slider.max = String(film.end);
    slider.value = String(time);
    slider.setAttribute('aria-valuetext', `${span(time)} of ${span(film.end)}, ${count} reads done`);
  }

  function fit(): void {
    const width = Math.max(200, root.clientWidth);
    const height = width >= 640 ? 540 : 660;
    canvas.style.height = `${height}px`;
    canvas.setAttribute(
      'aria-label',
      `${film.title}: ${film.reads.length} reads on the map of the file, by offset and entry, and in time`,
    );
    legend.replaceChildren();
    for (const [colour, text] of film.legend) {
      const swatch = add(legend, 'span');
      swatch.className = 'swatch';
      swatch.style.background = (dark ? film.dark : film.light)[colour];
      legend.append(` ${text} `);
    }
    painter = painterOf(film, { width, height, dark, ratio: devicePixelRatio });
    show();
  }
  const observer = new ResizeObserver(fit);
  observer.observe(root);
  fit();

  return {
    update(change) {
      // At its end a film of reads that go on stays there.
      const wasAtEnd = time >= film.end && !isPlaying;
      film = change.film ?? film;
      dark = change.dark ?? dark;
      time = wasAtEnd ? film.end : Math.min(time, film.end);
      fit();
    },
    destroy() {
      observer.disconnect();
      pause();
      root.remove();
    },
  };
}
