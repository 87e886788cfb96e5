import { trustedHtml } from '../../../base/trusted-types';

/** Prevents navigation of the frame, because objects may contain links (TLink, #url of TLatex). */
export function keepPlace(): void {
  const stay = (event: Event): void => {
    const link = event
      .composedPath()
      .some((target) => target instanceof Element && /^(a|area)$/i.test(target.localName));
    if (link || event.type === 'submit') event.preventDefault();
  };
  for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, stay, { capture: true });
}

/**
 * Allows JSROOT to write its markup as text. A page policy with "require-trusted-types-for" forbids that also in the
 * frame, if the frame has the page's policy. Allowing it is safe, because the frame has no origin and its own policy
 * allows no other script.
 */
export function trustMarkup(): void {
  for (const name of ['innerHTML', 'outerHTML'] as const) {
    const own = Object.getOwnPropertyDescriptor(Element.prototype, name);
    if (!own?.set) continue;
    const { set } = own;
    Object.defineProperty(Element.prototype, name, {
      ...own,
      set(this: Element, text: unknown) {
        set.call(this, trustedHtml(String(text)));
      },
    });
  }
}
