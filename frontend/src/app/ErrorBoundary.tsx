import type { ErrorInfo, ReactNode } from "react";
import { Component } from "react";
import { errors } from "@/copy/errors";
import { ErrorPanel } from "@/ui/States";

interface Props {
  children: ReactNode;
  /** A change of this (the address) gives the part another chance. */
  resetKey?: string;
}

/** Keeps a fault to its part of the page. The last one stands around everything. */
export class ErrorBoundary extends Component<Props, { failed: boolean; key: string | undefined }> {
  override state = { failed: false, key: this.props.resetKey };

  static getDerivedStateFromError = () => ({ failed: true });

  static getDerivedStateFromProps(props: Props, state: { failed: boolean; key: string | undefined }) {
    return props.resetKey === state.key ? null : { failed: false, key: props.resetKey };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // The browser's own report: it reaches the console and whatever listens to window errors.
    reportError(new Error("A part of the page failed", { cause: { error, stack: info.componentStack } }));
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorPanel
        as="h1"
        title={errors.broken.title}
        message={errors.broken.message}
        retryLabel={errors.reload}
        onRetry={() => window.location.reload()}
      />
    );
  }
}
