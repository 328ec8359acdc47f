import { useState } from "react";
import "@/features/home/home.css";
import { Features } from "@/features/home/Features";
import { Hero } from "@/features/home/Hero";
import { quoteOfTheDay } from "@/features/home/quote";
import { Veil } from "@/features/home/Veil";
import { home } from "@/copy/home";
import { openSignUp } from "@/lib/account-panel";
import { formatDay, localDate } from "@/lib/format";
import { useMember } from "@/lib/session";
import { Art } from "@/ui/Art";
import { Button } from "@/ui/Button";
import { Motif } from "@/ui/Marks";

function Mission() {
  return (
    <section className="mission wrap">
      <div className="grid">
        <p className="label">{home.mission.label}</p>
        <h2>{home.mission.title}</h2>
        <p className="lead">{home.mission.text}</p>
      </div>
    </section>
  );
}

/** By the member's own calendar, so by this machine's clock. */
function Quote() {
  const [today] = useState(() => Date.now());
  return (
    <section className="quote wrap" aria-label={home.quote}>
      <figure>
        <Motif />
        <blockquote>“{quoteOfTheDay(today)}”</blockquote>
        <figcaption>
          <b>{home.quote}</b>
          <time dateTime={localDate(today)}>{formatDay(today)}</time>
        </figcaption>
      </figure>
    </section>
  );
}

function Join() {
  return (
    <section className="join wrap" aria-labelledby="join-title">
      <div className="join__in" data-theme="dark">
        <Art scene="Loving Kindness" seed="14" w={1200} h={440} theme="dark" />
        <div className="join__text">
          <h2 id="join-title">{home.join.title}</h2>
          <p className="lead">{home.join.text}</p>
          <Button look="primary" onClick={openSignUp}>
            {home.join.go}
          </Button>
        </div>
      </div>
    </section>
  );
}

export default function Home() {
  const member = useMember();
  return (
    <>
      <Veil />
      <Hero />
      <Mission />
      <Quote />
      <Features />
      {member ? null : <Join />}
    </>
  );
}
