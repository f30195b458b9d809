import { TERMS } from "./content/terms";
import { LegalPage } from "./legal-page";

/** `/terms`. */
export function TermsPage() {
  return <LegalPage text={TERMS} />;
}
