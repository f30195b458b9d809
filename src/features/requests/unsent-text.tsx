import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { TextArea } from "@/ui/text-area";
import { dropUnsent, unsentTexts } from "./unsent-drafts";

/** What was typed about a request that cannot be answered or decided any more: to read, to copy and to discard. */
export function UnsentText({ requestId }: { requestId: string }) {
  const me = useMe();
  const [texts, setTexts] = useState(() => unsentTexts(me.id, requestId));
  if (texts.length === 0) return null;
  return (
    <div className="mt-5 grid gap-2.5 border-line border-t pt-4">
      <Field label="What you typed is still here" hint="It was not sent: the request was decided or changed meanwhile.">
        <TextArea readOnly rows={4} dir="auto" value={texts.join("\n\n")} onFocus={({ target }) => target.select()} />
      </Field>
      <Button
        variant="quiet"
        className="justify-self-end"
        onClick={() => {
          dropUnsent(me.id, requestId);
          setTexts([]);
        }}
      >
        Discard
      </Button>
    </div>
  );
}
