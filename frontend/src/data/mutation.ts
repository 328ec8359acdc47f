import type {
  DescMessage,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { create, equals } from "@bufbuild/protobuf";
import type { Message } from "@bufbuild/protobuf";
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import { MutationObserver, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import type { Data } from "@/lib/app";
import { useData } from "./data";
import type { UserError } from "./errors";
import { LOST, toUserError, wasLost } from "./errors";
import { jittered } from "@/lib/jitter";

/**
 * Every write of the app goes through here: `useWrite` in a component, `runWrite` outside. A write says its
 * method and what it changes; sending, trying again, the idempotency key and the words of an error are the same
 * for all.
 */
export interface Write<I extends DescMessage, O extends DescMessage> {
  method: DescMethodUnary<I, O>;
  /** Reads that the write may change: they are refetched, also when the write's own answer was lost. */
  invalidates?: readonly (DescService | DescMethodUnary)[];
  /** Shows the answer at once in what is already on the screen. Balances (`credits`) show themselves. */
  applied?: (data: Data, answer: MessageShape<O>) => void;
}

/** Keeps the method's types; a write is a constant of its feature or of data/. */
export const defineWrite = <I extends DescMessage, O extends DescMessage>(write: Write<I, O>): Write<I, O> =>
  write;

/** What became of a write: an answer or, in words for people, the trouble. */
export type Sent<O> = { answer: O; trouble: null } | { answer: null; trouble: UserError };

/** Tries of one request, and the pause before each further one (ms, times the number of tries, before jitter). */
const TRIES = 3;
const PAUSE_MS = 700;

/** What contracts call the key of a request. One that carries it may be repeated: the server does it once. */
const KEYS = ["idempotency_key", "request_id"];
const keyField = (schema: DescMessage) => schema.fields.find((field) => KEYS.includes(field.name));

type Keyed = Message & Record<string, unknown>;

/** Refetches the reads of a whole service or of one method. */
export function invalidate(data: Data, schemas: readonly (DescService | DescMethodUnary)[]): void {
  for (const schema of schemas) {
    const key =
      schema.kind === "service"
        ? createConnectQueryKey({ schema, cardinality: undefined })
        : createConnectQueryKey({ schema, transport: data.transport, cardinality: undefined });
    void data.queryClient.invalidateQueries({ queryKey: key });
  }
}

/** Puts a part of a read's answer where it is shown already. */
export function showPart<I extends DescMessage, O extends DescMessage>(
  { transport, queryClient }: Data,
  schema: DescMethodUnary<I, O>,
  part: Partial<MessageShape<O>>,
): void {
  const queryKey = createConnectQueryKey({ schema, transport, cardinality: "finite" });
  queryClient.setQueriesData<MessageShape<O>>({ queryKey }, (before) => before && { ...before, ...part });
}

/** The rules of one write, for TanStack Query. */
function optionsOf<I extends DescMessage, O extends DescMessage>(data: Data, write: Write<I, O>) {
  const repeatable = keyField(write.method.input) !== undefined;
  return {
    mutationFn: (request: MessageShape<I>) =>
      callUnaryMethod(data.transport, write.method, request as MessageInitShape<I>),
    // Offline is an answer too: the person hears it at once.
    networkMode: "always" as const,
    retry: (failures: number, cause: unknown) => repeatable && failures < TRIES - 1 && wasLost(cause),
    retryDelay: (failures: number) => jittered(PAUSE_MS * (failures + 1)),
    onSuccess: (answer: MessageShape<O>) => {
      write.applied?.(data, answer);
      invalidate(data, write.invalidates ?? []);
    },
    onError: (cause: unknown) => {
      if (wasLost(cause)) invalidate(data, write.invalidates ?? []);
    },
  };
}

/** The request with its key: the one of `before` where nothing of it was changed since its answer was lost. */
function keyed<I extends DescMessage>(
  schema: I,
  init: MessageInitShape<I>,
  before: MessageShape<I> | null,
): MessageShape<I> {
  const request = create(schema, init);
  const draft = request as Keyed;
  const key = keyField(schema)?.localName;
  if (!key || draft[key]) return request;
  draft[key] = (before as Keyed | null)?.[key] ?? "";
  if (before && equals(schema, request, before)) return request;
  draft[key] = crypto.randomUUID();
  return request;
}

async function settle<T>(sending: Promise<T>): Promise<Sent<T>> {
  try {
    return { answer: await sending, trouble: null };
  } catch (cause) {
    return { answer: null, trouble: toUserError(cause) };
  }
}

/** A write from a component. `send` never rejects; called again while one is under way, it answers with that one. */
export function useWrite<I extends DescMessage, O extends DescMessage>(write: Write<I, O>) {
  const data = useData();
  const { mutateAsync, isPending, error, reset } = useMutation(optionsOf(data, write), data.queryClient);
  const running = useRef<Promise<Sent<MessageShape<O>>> | null>(null);
  const lost = useRef<MessageShape<I> | null>(null);

  const start = async (init: MessageInitShape<I>): Promise<Sent<MessageShape<O>>> => {
    const request = keyed(write.method.input, init, lost.current);
    const sending = mutateAsync(request);
    const sent = await settle(sending);
    lost.current = sent.trouble && LOST.has(sent.trouble.code) ? request : null;
    running.current = null;
    return sent;
  };
  const send = (init: MessageInitShape<I>): Promise<Sent<MessageShape<O>>> => {
    running.current ??= start(init);
    return running.current;
  };
  return {
    send,
    pending: isPending,
    trouble: error ? toUserError(error) : null,
    /** Takes the trouble away, for instance when the form is changed. */
    forget: reset,
  };
}

/** A write from outside a component: signing out from the shell. */
export function runWrite<I extends DescMessage, O extends DescMessage>(
  data: Data,
  write: Write<I, O>,
  init: MessageInitShape<I>,
): Promise<Sent<MessageShape<O>>> {
  const observer = new MutationObserver(data.queryClient, optionsOf(data, write));
  return settle(observer.mutate(keyed(write.method.input, init, null)));
}
