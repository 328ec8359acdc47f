import { Code, ConnectError } from "@connectrpc/connect";
import type { InfiniteData } from "@tanstack/react-query";
import { InfiniteQueryObserver, notifyManager } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { failure } from "@/testing/failure";
import { createQueryClient } from "./query";

test("a read is asked again where the server was away for a moment, and ends where it hung until its time was up", () => {
  const again = createQueryClient().getDefaultOptions().queries?.retry;
  const asks = (failures: number, code: Code) =>
    typeof again === "function" && again(failures, new ConnectError("no", code));
  expect([0, 1, 2].map((failures) => asks(failures, Code.Unavailable))).toEqual([true, true, false]);
  expect(asks(0, Code.DeadlineExceeded)).toBe(false);
});

interface Page {
  number: number;
  nextPageToken: string;
}

/** A list of three pages, whose tokens a release may change. */
function createList() {
  const server = { release: "a", refuses: false, asked: [] as string[] };
  const list = new InfiniteQueryObserver<Page, Error, InfiniteData<Page>, string[], string>(
    createQueryClient(),
    {
      queryKey: ["list"],
      initialPageParam: "",
      getNextPageParam: (last) => last.nextPageToken || undefined,
      queryFn: async ({ pageParam }) => {
        server.asked.push(pageParam);
        const number = Number(pageParam.slice(1) || 1);
        if ((pageParam && pageParam[0] !== server.release) || (pageParam && server.refuses))
          throw failure(
            Code.InvalidArgument,
            "That page does not exist.",
            "PAGE_TOKEN_INVALID",
            "page_token",
          );
        return { number, nextPageToken: number === 3 ? "" : `${server.release}${number + 1}` };
      },
    },
  );
  list.subscribe(() => {});
  const numbers = () => list.getCurrentResult().data?.pages.map((page) => page.number);
  return { server, list, numbers };
}

test("a list whose tokens are of another release begins again at its first page, and no fault is shown", async () => {
  const { server, list, numbers } = createList();
  await list.refetch();
  await list.fetchNextPage();
  server.release = "b";
  server.asked = [];
  const faults: unknown[] = [];
  // As the hooks of React Query listen.
  list.subscribe(notifyManager.batchCalls(() => faults.push(list.getCurrentResult().error)));
  await list.fetchNextPage();
  expect(list.getCurrentResult()).toMatchObject({ error: null, hasNextPage: false });
  expect(numbers()).toEqual([1, 2]);
  await expect.poll(() => list.getCurrentResult().hasNextPage).toBe(true);
  expect(server.asked).toEqual(["a3", "", "b2"]);
  await list.fetchNextPage();
  expect(numbers()).toEqual([1, 2, 3]);
  expect(new Set(faults)).toEqual(new Set([null]));
});

test("where every token is refused a list begins again once, and then shows the fault", async () => {
  const { server, list, numbers } = createList();
  await list.refetch();
  server.refuses = true;
  server.asked = [];
  await list.fetchNextPage();
  await expect.poll(() => list.getCurrentResult()).toMatchObject({ isFetching: false, hasNextPage: true });
  await list.fetchNextPage();
  expect(list.getCurrentResult().isError).toBe(true);
  expect(server.asked).toEqual(["a2", "", "a2"]);
  expect(numbers()).toEqual([1]);
});
