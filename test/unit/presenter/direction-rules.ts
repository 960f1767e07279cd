const ISOLATED = /\u2068[^\u2068\u2069]*\u2069/g;
/** Right-to-left letters by script, and every character that changes directions. */
const REACHING =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\u061C\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** What of a text can change the order of the words around it: all that reorders and stands in no closed isolate. */
export function reaching(text: string): string {
  return text.split('\n').map(outsideIsolates).join('');
}

function outsideIsolates(line: string): string {
  const rest = line.replace(ISOLATED, '');
  return rest === line ? (line.match(REACHING) ?? []).join('') : outsideIsolates(rest);
}
