import { useQuery } from "@connectrpc/connect-query";
import { useEffect, useRef } from "react";
import { GeneratorService } from "@/gen/serein/web/v1/generator_pb";
import { useMember } from "@/lib/session";

/** The generator's one read: sizes, types, practices, sounds, costs, and what is being made. */
export function useGeneratorPage() {
  const page = useQuery(GeneratorService.method.getGenerator, {});
  const uid = useMember()?.uid;
  const { refetch } = page;
  const asked = useRef(uid);
  useEffect(() => {
    if (asked.current === uid) return;
    asked.current = uid;
    void refetch();
  }, [uid, refetch]);
  return page;
}
