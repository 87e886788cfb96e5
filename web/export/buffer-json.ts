import type { PlainObject, PlainValue } from '../api/api';
import { unsupported } from '../base/data-errors';
import { errorOf } from '../core/tape';

/**
 * Returns an object as JSON in the form of ROOT's TBufferJSON, which JSROOT can draw. Objects are numbered in the order
 * in which they begin, and a pointer to an object that was already written is `{"$ref": number}`. Parts that could not
 * be decoded are null. NaN and infinities are null as well, because JSON cannot represent them; arrays of floats that
 * contain them are written as base64. Throws UNSUPPORTED if the whole object could not be decoded.
 */
export function bufferJson(object: PlainObject): string {
  const error = errorOf(object);
  if (error !== undefined) throw unsupported(`The object cannot be read to its end: ${error}`);
  const numbers = new Map<PlainValue, number>();
  let count = 0;

  const write = (value: PlainValue | undefined): string => {
    if (value === undefined || value === null) return 'null';
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object') return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    if (ArrayBuffer.isView(value)) return writeNumbers(value);
    if ('$ref' in value) {
      const number = numbers.get(value.$ref ?? null);
      return number === undefined ? 'null' : `{"$ref":${number}}`;
    }
    if ('$error' in value) return 'null';
    if (value.$id !== undefined) numbers.set(value.$id, count);
    count++;
    const members = Object.entries(value)
      .filter(([name]) => !name.startsWith('$'))
      .map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`);
    return `{${members.join(',')}}`;
  };
  return write(object);
}

type Numbers = Extract<PlainValue, ArrayBufferView>;

function writeNumbers(values: Numbers): string {
  const floats = values instanceof Float32Array || values instanceof Float64Array;
  if (!floats || values.every((value) => Number.isFinite(value))) return `[${values.join(',')}]`;
  const name = values instanceof Float32Array ? 'Float32' : 'Float64';
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `{"$arr":"${name}","len":${values.length},"b":"${btoa(text)}"}`;
}
