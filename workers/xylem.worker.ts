import { startInsight } from './insight';
import { onRole } from './role';
import { startReading } from './session';

/**
 * The one worker script of a page. The first message gives the role: `session` runs the engine and starts
 * decode workers from this same script. `insight` computes with metadata, which it gets from the session, and
 * writes files.
 */
onRole((role) => {
  if (role.xylemRole === 'insight') startInsight(role.session);
  else startReading(role);
});
