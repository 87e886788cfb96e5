import type { Film, FilmRead } from './film';

/** The place that a film is drawn in, CSS pixels, and how. */
export interface FilmView {
  width: number;
  height: number;
  dark: boolean;
  /** Pixels of the canvas for one of CSS. */
  ratio: number;
}

/** Draws a film at any time. */
export interface FilmPainter {
  /** Draws what was read until then onto a canvas of the size of the view. */
  paint(canvas: HTMLCanvasElement, time: number): void;
  /** The reads that are under way then, or else the last one before: indices. */
  current(time: number): number[];
}

/**
 * Prepares drawing a film: the map of the file with strips of what was read, offsets against entries, and the
 * requests in time. A saved film has this function as text, so it uses nothing that lies outside of it.
 */
export function filmPainter(film: Film, view: FilmView): FilmPainter {
  const { width, height, ratio } = view;
  const colours = view.dark ? film.dark : film.light;
  const { reads, map, size, entries, end } = film;
  const wide = width >= 640;
  const [bytes, unit] = size < 1e6 ? [1e3, 'kB'] : [1e6, 'MB'];
  const left = 52;
  const [top, bottom, between] = [24, 36, 14];
  const third = (height - 2 * between) / 3;
  const upper = wide ? 0.6 * height : third;
  const half = wide ? (width - between) / 2 : width;
  const inner = (x: number, y: number, w: number, h: number) => ({
    ...{ x: x + left, y: y + top, w: w - left - 8, h: h - top - bottom },
  });
  const places = {
    // The map has no axis below it.
    map: { ...inner(0, 0, half, upper), h: upper - top },
    pattern: wide ? inner(half + between, 0, half, upper) : inner(0, third + between, width, third),
    time: wide
      ? inner(0, upper + between, width, height - upper - between)
      : inner(0, 2 * (third + between), width, third),
  };
  const byEnd = Array.from(reads.keys()).sort((a, b) => (reads[a]?.to ?? 0) - (reads[b]?.to ?? 0));
  const still = layer();
  const done = layer();
  /** Number of reads, in the order of their ends, that are drawn on `done`. */
  let drawn = 0;
  drawStill(still.ctx);

  function layer() {
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.scale(ratio, ratio);
    return { canvas, ctx };
  }

  function ended(time: number): number {
    let low = 0;
    let high = byEnd.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((reads[byEnd[middle] ?? 0]?.to ?? 0) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function current(time: number): number[] {
    const now: number[] = [];
    for (let i = 0; i < reads.length && (reads[i]?.from ?? 0) <= time; i++)
      if ((reads[i]?.to ?? 0) >= time) now.push(i);
    const last = byEnd[ended(time) - 1];
    return now.length > 0 || last === undefined ? now : [last];
  }

  /** Steps of an axis: 1, 2 or 5 times a power of ten, at most `most`. */
  function stepOf(range: number, most: number): number {
    const rough = Math.max(range, 1e-9) / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10);
  }

  function number(value: number): string {
    return String(Number(value.toPrecision(6))).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');
  }

  function drawAxes(
    ctx: CanvasRenderingContext2D,
    { x, y, w, h }: typeof places.map,
    across: { range: number; title: string },
    up?: { range: number },
  ): void {
    ctx.strokeStyle = colours.grid;
    ctx.fillStyle = colours.faint;
    ctx.lineWidth = 1;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'center';
    const stepX = stepOf(across.range, w / 80);
    for (let at = 0; at <= across.range * 1.0001; at += stepX) {
      const place = x + (at / across.range) * w;
      ctx.strokeRect(place, y, 0, h);
      ctx.fillText(number(at), place, y + h + 4);
    }
    ctx.textAlign = 'right';
    ctx.fillText(across.title, x + w, y + h + 18);
    if (up === undefined) return;
    ctx.textBaseline = 'middle';
    const stepY = stepOf(up.range, h / 30);
    for (let at = 0; at <= up.range * 1.0001; at += stepY) {
      const place = y + h - (at / up.range) * h;
      ctx.strokeRect(x, place, w, 0);
      ctx.fillText(number(at), x - 6, place);
    }
  }

  function drawStill(ctx: CanvasRenderingContext2D): void {
    ctx.fillStyle = colours.paper;
    ctx.fillRect(0, 0, width, height);
    ctx.font = '12px ui-sans-serif, system-ui, sans-serif';
    const { map: there, pattern, time } = places;
    drawAxes(ctx, pattern, { range: entries, title: 'Tree entry' }, { range: size / bytes });
    const long = film.unit === 's' && end < 1;
    const title = film.unit === 'reads' ? 'Reads' : long ? 'Time (ms)' : 'Time (s)';
    drawAxes(ctx, time, { range: Math.max(end, 1e-6) * (long ? 1000 : 1), title });
    ctx.fillStyle = colours.ink;
    ctx.font = '600 12px ui-sans-serif, system-ui, sans-serif';
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    ctx.fillText(`The file (${unit}), what was read below`, there.x - left, there.y - 20);
    ctx.fillText(`File offset (${unit}) against entry`, pattern.x - left, pattern.y - 20);
    ctx.fillText('Requests in time', time.x - left, time.y - 20);
    ctx.font = '12px ui-sans-serif, system-ui, sans-serif';
    const row = there.h / map.rows;
    const cell = there.w / map.cells;
    let at = 0;
    for (const [colour, cells] of colours.cells) {
      ctx.fillStyle = colour || colours.paper;
      for (let left = cells; left > 0; ) {
        const line = Math.floor(at / map.cells);
        const column = at % map.cells;
        const now = Math.min(left, map.cells - column);
        ctx.fillRect(there.x + column * cell, there.y + line * row, now * cell + 0.3, row * 0.55);
        at += now;
        left -= now;
      }
    }
    stretch(ctx, 0, size, colours.pieces.track);
    ctx.fillStyle = colours.faint;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(26 / row));
    for (let line = 0; line < map.rows; line += every)
      ctx.fillText(
        number(Number(((line * map.rowBytes) / bytes).toPrecision(3))),
        there.x - 6,
        there.y + (line + 0.5) * row,
      );
  }

  /** Fills a stretch of the file in the strips of the map, or outlines it with what lies above. */
  function stretch(
    ctx: CanvasRenderingContext2D,
    offset: number,
    length: number,
    colour: string,
    outline = false,
  ): void {
    const { x, y, w, h } = places.map;
    const row = h / map.rows;
    ctx.fillStyle = colour;
    ctx.strokeStyle = colour;
    ctx.lineWidth = 2;
    const after = Math.min(size, offset + length);
    for (let at = offset; at < after; ) {
      const line = Math.min(map.rows - 1, Math.floor(at / map.rowBytes));
      const stop = line === map.rows - 1 ? after : Math.min(after, (line + 1) * map.rowBytes);
      const from = x + ((at - line * map.rowBytes) / map.rowBytes) * w;
      const across = Math.max(outline ? 3 : 1, ((stop - at) / map.rowBytes) * w);
      if (outline) ctx.strokeRect(from - 1, y + line * row - 0.5, across + 2, row * 0.95);
      else ctx.fillRect(from, y + (line + 0.6) * row, across, row * 0.32);
      at = stop > at ? stop : after;
    }
  }

  /** A read among offsets and entries. */
  function mark(
    ctx: CanvasRenderingContext2D,
    { entry, pieces }: FilmRead,
    colour: string,
    wider: number,
  ): void {
    const { x, y, w, h } = places.pattern;
    ctx.fillStyle = colour;
    const at = x + (Math.max(0, entry) / entries) * w;
    for (const [offset, length] of pieces) {
      const tall = Math.max(2, (length / size) * h);
      ctx.fillRect(
        at - 1 - wider,
        y + h - (offset / size) * h - tall - wider,
        2 + 2 * wider,
        tall + 2 * wider,
      );
    }
  }

  /** A read in its row: waiting, and then receiving. */
  function bar(ctx: CanvasRenderingContext2D, index: number, until: number, over?: string): void {
    const read = reads[index];
    if (read === undefined) return;
    const { x, y, w, h } = places.time;
    const row = h / Math.max(1, reads.length);
    const tall = Math.max(1, Math.min(12, 0.8 * row));
    const middle = y + (index + 0.5) * row;
    const place = (time: number): number => x + (time / Math.max(end, 1e-6)) * w;
    const piece = (from: number, to: number, colour: string): void => {
      ctx.fillStyle = colour;
      ctx.fillRect(place(from), middle - tall / 2, Math.max(1.5, place(to) - place(from)), tall);
    };
    const answered = Math.min(until, read.answered);
    if (over === undefined && answered > read.from) piece(read.from, answered, colours.wait);
    piece(over === undefined ? answered : read.from, Math.min(until, read.to), over ?? colours[read.origin]);
  }

  function drawDone(ctx: CanvasRenderingContext2D, index: number): void {
    const read = reads[index];
    if (read === undefined) return;
    for (const [offset, length, kind] of read.pieces)
      if (kind !== 'hidden') stretch(ctx, offset, length, colours.pieces[kind]);
    mark(ctx, read, colours[read.origin], 0);
    bar(ctx, index, read.to);
  }

  function paint(canvas: HTMLCanvasElement, time: number): void {
    const until = ended(time);
    if (until < drawn) {
      done.ctx.clearRect(0, 0, width, height);
      drawn = 0;
    }
    for (; drawn < until; drawn++) drawDone(done.ctx, byEnd[drawn] ?? 0);
    if (canvas.width !== still.canvas.width) canvas.width = still.canvas.width;
    if (canvas.height !== still.canvas.height) canvas.height = still.canvas.height;
    const ctx = canvas.getContext('2d');
    if (ctx === null) return;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(still.canvas, 0, 0);
    ctx.drawImage(done.canvas, 0, 0);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const index of current(time)) {
      const read = reads[index];
      if (read === undefined) continue;
      const underWay = read.to > time;
      for (const [offset, length] of read.pieces) {
        if (underWay) stretch(ctx, offset, length, colours.wait);
        stretch(ctx, offset, length, colours.mark, true);
      }
      mark(ctx, read, colours.mark, 2);
      if (underWay) bar(ctx, index, time);
      else bar(ctx, index, read.to, colours.mark);
    }
    const { x, y, w, h } = places.time;
    ctx.fillStyle = colours.mark;
    ctx.fillRect(x + (Math.min(time, end) / Math.max(end, 1e-6)) * w - 0.75, y, 1.5, h);
  }

  return { paint, current };
}
