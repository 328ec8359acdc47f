import { useQuery } from "@connectrpc/connect-query";
import { Begin } from "@/features/home/Begin";
import { Features } from "@/features/home/Features";
import { Hero } from "@/features/home/Hero";
import { Listen } from "@/features/home/Listen";
import { Join } from "@/features/home/Join";
import { Mission } from "@/features/home/Mission";
import { Own } from "@/features/home/Own";
import { Quote } from "@/features/home/Quote";
import { Veil } from "@/features/home/Veil";
import { PagesService } from "@/gen/serein/web/v1/pages_pb";
import { useMember } from "@/lib/session";

export default function Home() {
  const member = useMember();
  const home = useQuery(PagesService.method.getHome, {});
  return (
    <>
      <Veil />
      <Own />
      <Hero />
      <Mission home={home.data} />
      <Begin home={home.data} error={home.error} onRetry={() => void home.refetch()} />
      {member ? null : <Listen />}
      <Quote home={home.data} />
      <Features />
      {member ? null : <Join />}
    </>
  );
}
