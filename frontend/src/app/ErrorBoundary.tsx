import type { ErrorInfo, ReactNode } from "react";
import { Component } from "react";
import { errors } from "@/copy/errors";
import { isChunkFailure, reloadOnce } from "@/lib/chunk-failure";
import { ErrorPanel } from "@/ui/States";

interface Props {
  children: ReactNode;
  /** A change of this (the address) gives the part another chance. */
  resetKey?: string;
  /** Shows nothing in the place of the part: the page is whole without it. */
  quiet?: boolean;
}

interface State {
  error: unknown;
  key: string | undefined;
}

/** Keeps a fault to its part of the page. The last one stands around everything. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, key: this.props.resetKey };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  static getDerivedStateFromProps(props: Props, state: State) {
    return props.resetKey === state.key ? null : { error: null, key: props.resetKey };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // A page that was open while a newer app was put in its place asks for files that are gone.
    if (isChunkFailure(error) && navigator.onLine && !this.props.quiet && reloadOnce()) return;
    if (isChunkFailure(error)) window.addEventListener("online", this.again, { once: true });
    // The browser's own report: it reaches the console and whatever listens to window errors.
    reportError(new Error("A part of the page failed", { cause: { error, stack: info.componentStack } }));
  }

  override componentWillUnmount(): void {
    window.removeEventListener("online", this.again);
  }

  /** A chunk that failed is not asked for again by React: the page is loaded anew. */
  again = () => window.location.reload();

  override render() {
    if (this.state.error === null) return this.props.children;
    if (this.props.quiet) return null;
    const offline = isChunkFailure(this.state.error) && !navigator.onLine;
    const { title, message } = offline ? errors.pageOffline : errors.broken;
    return (
      <ErrorPanel as="h1" title={title} message={message} retryLabel={errors.reload} onRetry={this.again} />
    );
  }
}
