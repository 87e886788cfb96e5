import { endOf } from '../ranges';
import type { BodyPart } from './multipart';

const SAMPLE_BYTES = 48;

/** Returns bytes from the start and the end of a read. */
export function samplesOf(offset: number, bytes: Uint8Array): BodyPart[] {
  if (bytes.length < 3 * SAMPLE_BYTES) return [];
  return [0, bytes.length - SAMPLE_BYTES].map((at) => ({
    offset: offset + at,
    length: SAMPLE_BYTES,
    size: undefined,
    bytes: bytes.slice(at, at + SAMPLE_BYTES),
  }));
}

/** Whether the parts contain the bytes of the sample. */
export function matchesSample(sample: BodyPart, parts: readonly BodyPart[]): boolean {
  const part = parts.find((one) => one.offset <= sample.offset && endOf(one) >= endOf(sample));
  return (
    part !== undefined &&
    sample.bytes.every((byte, i) => byte === part.bytes[sample.offset - part.offset + i])
  );
}
