import { Component, type ComponentChildren } from 'preact';
import { type ErrorRecord, toXylemError } from '../../base/errors';
import { FILE_NODE } from '../state/contents-model';
import { FIRST_VIEW } from '../state/selection';
import type { ViewerStore } from '../state/viewer-state';
import { ErrorPane } from '../widgets/error-pane';

interface BoundaryProps {
  store: ViewerStore;
  /** Identifies the content of the panel. If it changes, an error is cleared. */
  place: string;
  children: ComponentChildren;
}

interface BoundaryState {
  failed?: { error: ErrorRecord; place: string } | undefined;
}

/** Shows an error instead of a panel that throws while rendering, so that the rest of the page stays. */
export class PanelBoundary extends Component<BoundaryProps, BoundaryState> {
  override componentDidCatch(thrown: unknown): void {
    // The browser's console shows it with its stack, and listeners of the page receive it.
    reportError(thrown);
    const record = toXylemError(thrown).toRecord();
    const error = { ...record, fix: record.fix ?? 'Try again, or show another part of the file.' };
    this.setState({ failed: { error, place: this.props.place } });
  }

  override render({ store, place, children }: BoundaryProps, { failed }: BoundaryState) {
    if (failed?.place !== place) return children;
    const showOverview = () => {
      store.selection.select(FILE_NODE);
      store.selection.setView(FIRST_VIEW);
    };
    return (
      <div class="panel">
        <ErrorPane error={failed.error} onRetry={() => this.setState({ failed: undefined })}>
          <button type="button" onClick={showOverview}>
            Show the overview
          </button>
        </ErrorPane>
      </div>
    );
  }
}
