import { startInsight } from './insight';
import { onRole } from './role';

/** The worker script that computes with metadata, which it gets from the session, and writes files. Few pages need it. */
onRole((role) => {
  if (role.xylemRole === 'insight') startInsight(role.session);
});
