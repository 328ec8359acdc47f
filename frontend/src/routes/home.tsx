import { Features } from "@/features/home/Features";
import { Hero } from "@/features/home/Hero";
import { Listen } from "@/features/home/Listen";
import { Join } from "@/features/home/Join";
import { Mission } from "@/features/home/Mission";
import { Quote } from "@/features/home/Quote";
import { Veil } from "@/features/home/Veil";
import { useMember } from "@/lib/session";

export default function Home() {
  const member = useMember();
  return (
    <>
      <Veil />
      <Hero />
      <Mission />
      {member ? null : <Listen />}
      <Quote />
      <Features />
      {member ? null : <Join />}
    </>
  );
}
