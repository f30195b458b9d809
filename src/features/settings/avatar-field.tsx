import { isWebUrl } from "@server/contract/web-url";
import { useState } from "react";
import { type Control, type UseFormRegisterReturn, useWatch } from "react-hook-form";
import { cn } from "@/lib/cn";
import { useDebounced } from "@/lib/use-debounced";
import { Avatar } from "@/ui/avatar";
import { Field } from "@/ui/field";
import { Steady } from "@/ui/steady";
import { TextInput } from "@/ui/text-input";
import type { ProfileFields, ProfileForm } from "./profile-form-values";

const PAUSE_MS = 400;

type AvatarFieldProps = {
  control: Control<ProfileForm, unknown, ProfileFields>;
  registration: UseFormRegisterReturn<"profileImgLink">;
  error: string | undefined;
  className?: string | undefined;
};

/** The link to a picture, with the picture as others will see it: initials when there is none or it does not load. */
export function AvatarField({ control, registration, error, className }: AvatarFieldProps) {
  const [displayName, profileImgLink] = useWatch({ control, name: ["displayName", "profileImgLink"] });
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  // Do not load an image per keystroke.
  const link = useDebounced((profileImgLink ?? "").trim(), PAUSE_MS);
  const isShowable = isWebUrl(link) && isSafe(link);
  const src = isShowable ? link : null;
  return (
    <div className={cn("flex items-start gap-4", className)}>
      <Avatar name={displayName} src={src} size={64} onFailure={setFailedSrc} className="mt-1" />
      <div className="min-w-0 flex-1">
        <Field label="Avatar link" mark="optional" error={error} hint="A link to a square picture on the web.">
          <TextInput
            type="url"
            inputMode="url"
            autoComplete="photo"
            autoCapitalize="none"
            spellCheck={false}
            {...registration}
          />
        </Field>
        <p role="status" className="text-dense text-orange not-empty:mt-1.5">
          <Steady>
            {isWebUrl(link) && !isShowable && "Pictures are shown only from https:// links. Others see your initials."}
            {src !== null && src === failedSrc && "This picture can't be loaded. Others see your initials."}
          </Steady>
        </p>
      </div>
    </div>
  );
}

/** What the content security policy allows. */
function isSafe(link: string): boolean {
  const { protocol, origin } = new URL(link);
  return protocol === "https:" || origin === window.location.origin;
}
