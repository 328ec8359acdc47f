import { useEffect } from "react";
import { useParams } from "react-router";
import { generator as copy } from "@/copy/generator";
import { toTrouble } from "@/data/errors";
import "@/features/generator/generator.css";
import { Form } from "@/features/generator/Form";
import { OneMeditation } from "@/features/generator/OneMeditation";
import { useGeneratorPage } from "@/features/generator/page";
import { keepPlayer } from "@/player/mini";
import { Loader } from "@/ui/Marks";
import { ErrorPanel } from "@/ui/States";

/** The form, or the meditation whose id stands in the address. */
export default function GeneratorPage() {
  const { id } = useParams();
  const { data, error, refetch } = useGeneratorPage();
  useEffect(keepPlayer, []);
  if (id) return <OneMeditation key={id} id={id} page={data} />;
  if (data) return <Form page={data} />;
  if (!error)
    return (
      <div className="page-loader">
        <Loader label={copy.loading} />
      </div>
    );
  const { title, message } = toTrouble(error);
  return <ErrorPanel as="h1" title={title} message={message} onRetry={() => void refetch()} />;
}
