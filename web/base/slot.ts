import { unsupported } from './data-errors';

/**
 * Returns the value that a feature has in a slot. `features` is a list of web/features; at most one of them fills the
 * slot. Throws UNSUPPORTED if none does in this build; `what` names the missing part in the message.
 */
export function slotOf<Part extends object, Slot extends keyof Part>(
  features: Readonly<Record<string, Part>>,
  slot: Slot,
  what: string,
): NonNullable<Part[Slot]> {
  const found = filledSlot(features, slot);
  if (found === undefined) throw unsupported(`This build of xylem has no ${what}.`);
  return found;
}

/** As `slotOf`, but returns undefined if no feature fills the slot. */
export function filledSlot<Part extends object, Slot extends keyof Part>(
  features: Readonly<Record<string, Part>>,
  slot: Slot,
): NonNullable<Part[Slot]> | undefined {
  for (const part of Object.values(features)) {
    const found = part[slot];
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}
