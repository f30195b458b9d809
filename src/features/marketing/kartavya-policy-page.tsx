import { KARTAVYA_POLICY } from "./content/kartavya-policy";
import { LegalPage } from "./legal-page";

/** `/privacy-policy-kartavya`. */
export function KartavyaPolicyPage() {
  return <LegalPage text={KARTAVYA_POLICY} />;
}
