import type { ComponentProps } from "react";
import { Checkbox } from "@/ui/checkbox";
import { authLink } from "./auth-layout";

/** "I agree to the Terms and the Privacy Policy". The links open a new tab: nothing typed is lost. */
export function TermsCheckbox(props: Omit<ComponentProps<typeof Checkbox>, "label">) {
  return (
    <Checkbox
      {...props}
      label={
        <>
          I agree to the{" "}
          <a href="/terms" target="_blank" rel="noopener" className={authLink}>
            Terms
          </a>{" "}
          and the{" "}
          <a href="/privacy" target="_blank" rel="noopener" className={authLink}>
            Privacy Policy
          </a>
        </>
      }
    />
  );
}
