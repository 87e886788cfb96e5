import { startInsight } from './insight';
import { onRole } from './role';

/** Worker script that computes with metadata from the session, and writes files. Few pages need it. */
onRole((role) => {
  if (role.xylemRole === 'insight') startInsight(role.session, role.modules);
});
