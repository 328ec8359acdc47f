import type { DescMessage, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { createConnectQueryKey } from "@connectrpc/connect-query";
import { readBoot } from "@/lib/boot";
import type { Data } from "@/lib/app";

/** An answer that the gateway writes into a page, for its screen to begin with. */
export interface PageAnswer {
  method: DescMethodUnary;
  /** The question in JSON, each field a text, by the parts that the address names and by its filter. The gateway asks the same. */
  request: (params: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** The answer is the first page of a list. */
  list?: true;
}

/** Puts a page's answer into the query cache under the screen's key. `asked` is the time of the read (ms); 0 makes the screen refetch at once. */
export function keepAnswer(
  { transport, queryClient }: Pick<Data, "transport" | "queryClient">,
  { method, request, list }: PageAnswer,
  params: Readonly<Record<string, string>>,
  answer: MessageShape<DescMessage>,
  asked: number,
): void {
  const input = fromJson(method.input, request(params));
  const options = { updatedAt: asked };
  if (!list) {
    const key = createConnectQueryKey({ schema: method, transport, input, cardinality: "finite" });
    queryClient.setQueryData(key, answer, options);
    return;
  }
  const key = createConnectQueryKey({
    schema: method,
    transport,
    input: { ...input, pageToken: "" },
    cardinality: "infinite",
    pageParamKey: "pageToken" as never,
  });
  queryClient.setQueryData(key, { pages: [answer], pageParams: [""] } as never, options);
}

/**
 * Puts the answers into the query cache that the gateway has written into the member's own page at `path`: one for each question, in their
 * order, null for one that the gateway did not get in time. The answers of another page, or of another member, stay where they are.
 */
export function takeFirstAnswers(data: Data, path: string, questions: readonly PageAnswer[]): void {
  const textOf = (id: string) => globalThis.document?.querySelector(id)?.textContent;
  try {
    const { page, answers } = JSON.parse(textOf("#page") ?? "");
    const { member } = readBoot(textOf("#boot"));
    if (page !== path || !member || member.uid !== data.session.get().member?.uid) return;
    for (const [i, question] of questions.entries())
      if (answers[i])
        keepAnswer(
          data,
          question,
          {},
          fromJson(question.method.output, answers[i], { ignoreUnknownFields: true }),
          Date.now(),
        );
  } catch {
    // The screen asks for what it does not find.
  }
}
