import { PRIVACY } from "./content/privacy";
import { LegalPage } from "./legal-page";

/** `/privacy`. */
export function PrivacyPage() {
  return <LegalPage text={PRIVACY} />;
}
