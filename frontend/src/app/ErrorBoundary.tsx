import type { ErrorInfo, ReactNode } from "react";
import { Component } from "react";
import { errors } from "@/copy/errors";
import { allowAgain, isChunkFailure, isPlaying, reloadOnce } from "@/lib/chunk-failure";
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

  /** Whether the failed part has been asked for again in vain. */
  #tried = false;

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    if (isChunkFailure(error)) this.#missed();
    // The browser's own report: it reaches the console and whatever listens to window errors.
    reportError(new Error("A part of the page failed", { cause: { error, stack: info.componentStack } }));
  }

  /**
   * A part could not be fetched. With a line this is a page that was open while a newer app was put in its place, and it is
   * loaded again, unless that would end what plays; without one the part alone is asked for again when the line is back.
   */
  #missed(): void {
    allowAgain();
    window.addEventListener("online", this.retry, { once: true });
    if (navigator.onLine && !this.props.quiet && !isPlaying()) reloadOnce();
  }

  override componentWillUnmount(): void {
    window.removeEventListener("online", this.retry);
  }

  /** Shows the part again, which asks for it again. */
  retry = () => this.setState({ error: null });

  /** The part alone first, then the whole page. */
  again = () => {
    if (this.#tried || !isChunkFailure(this.state.error)) return window.location.reload();
    this.#tried = true;
    this.retry();
  };

  override render() {
    if (this.state.error === null) return this.props.children;
    if (this.props.quiet) return null;
    const offline = isChunkFailure(this.state.error) && !navigator.onLine;
    const { title, message } = offline ? errors.pageOffline : errors.broken;
    const retryLabel = isChunkFailure(this.state.error) && !this.#tried ? errors.retry : errors.reload;
    return (
      <ErrorPanel as="h1" title={title} message={message} retryLabel={retryLabel} onRetry={this.again} />
    );
  }
}
