/** `query.deliveryId: must be …` of the API, at the begin of a problem. */
const FIELD = /(^|; )(?:query|body|path|header)\.([\w.-]+): /g;

/** Names fields in the words of the forms: "Delivery ID: must be …". */
export function validationText(message: string): string {
  return message.replace(FIELD, (_, before: string, field: string) => `${before}${labelOf(field)}: `);
}

function labelOf(field: string): string {
  const words = field
    .replace(/\./g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/\b(?:id|url|api)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
