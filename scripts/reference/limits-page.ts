export function limitsPage(): string {
  return "# Limits\n";
}
