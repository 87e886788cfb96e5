import { expect, test } from 'vitest';
import { plainFile, plainSvg } from '../../../web/features/jsroot/view/plain-svg';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${XLINK} width="9">${inner}</svg>`;

test('a picture without links and scripts stays as it is', () => {
  const plain = svg(
    '<g style="fill: red;"><text x="1">a &lt; b</text><path d="M0,0Z"/><image href="data:image/png;base64,AA=="/><use xlink:href="#a"/></g>',
  );
  expect(plainSvg(plain)).toBe(plain);
});

test('its own patterns and fonts stay', () => {
  const plain = svg(
    '<style>@font-face{src:url(data:application/font-woff2;charset=utf-8;base64,AA==)}</style><g fill="url(#p)" mask="url(&quot;#m&quot;)"/>',
  );
  expect(plainSvg(plain)).toBe(plain);
});

test.each([
  ['a link', '<a href="javascript:alert(1)" onclick="x()"><text>t</text></a>', '<g><text>t</text></g>'],
  ['a link of xlink', '<a xlink:href="https://x/"><text>t</text></a>', '<g><text>t</text></g>'],
  ['a script', '<script>alert(1)</script><g/>', '<g/>'],
  ['a script of another prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg">x</s:script>', ''],
  ['elements of HTML', '<foreignObject><body onload="x"><img src="x"/></body></foreignObject><g/>', '<g/>'],
  ['another space', '<g xmlns="http://www.w3.org/1999/xhtml" id="i"/>', '<g id="i"/>'],
  ['a handler', '<g onload="x()" ONCLICK="y()" id="i"/>', '<g id="i"/>'],
  ['an animated link', '<g><animate attributeName="href" to="javascript:x"/><set to="x"/></g>', '<g></g>'],
  ['a picture from elsewhere', '<image href="https://x/p.png"/><use href="x.svg#a"/>', '<image/><use/>'],
  ['an encoded link', '<g href="&#106;avascript:x"/>', '<g/>'],
  [
    'HTML that acts',
    '<form action="javascript:x"><button formaction="javascript:x">t</button></form><g/>',
    '<g/>',
  ],
  [
    'a page that moves on',
    '<meta http-equiv="refresh" content="0;url=https://x/"/><video poster="https://x/"/>',
    '',
  ],
  [
    'a style that loads',
    '<style>@import url(https://x/);</style><style>g{fill:url(https://x/)}</style>',
    '<style></style><style></style>',
  ],
  [
    'a fill that loads',
    '<g fill="url(https://x/#a)" style="mask:u\\72l(https://x/)" id="i"/>',
    '<g id="i"/>',
  ],
  ['SVG in a picture', '<image href="data:image/svg+xml;base64,AA=="/>', '<image/>'],
])('without %s', (_, given, expected) => {
  expect(plainSvg(svg(given))).toBe(svg(expected));
});

test.each([
  ['<!DOCTYPE svg [<!ENTITY a "x">]><svg></svg>'],
  [svg('<!-- <script> -->')],
  [svg('<![CDATA[<script>]]>')],
  [svg("<a href='javascript:x'>t</a>")],
  [svg('<script>')],
  [svg('<style>@im<g/>port url(https://x/);</style>')],
  [svg('<g')],
  ['<html></html>'],
  [''],
])('%s is not taken for a picture', (text) => {
  expect(plainSvg(text)).toBe('');
});

test('a file that JSROOT saves is cleaned, too', () => {
  const bad = svg('<a href="javascript:x">t</a>');
  for (const address of [
    `data:image/svg+xml;charset=utf-8,${encodeURIComponent(bad)}`,
    `data:image/svg+xml;base64,${btoa(bad)}`,
  ])
    expect(decodeURIComponent(plainFile(address))).toContain(svg('<g>t</g>'));
  expect(plainFile('data:image/png;base64,AA==')).toBe('data:image/png;base64,AA==');
});
