import { saveText } from '../../../ui/save/save-blob';
import { compactSession, ENDING, formatSession, type Session } from '../work/session';
import { packText } from '../work/session-link';

/** Offers a session as a file. */
export function saveSession(session: Session): void {
  const name = session.title.replace(/[^\p{L}\p{N}.-]+/gu, '_').slice(0, 60);
  saveText(`${name === '' || name === '_' ? 'session' : name}${ENDING}`, formatSession(session));
}

/** Returns a link to a session, which may be longer than `MAX_LINK`. */
export async function linkTo(session: Session, { origin, pathname }: Location): Promise<string> {
  return `${origin}${pathname}#session=${await packText(compactSession(session))}`;
}
