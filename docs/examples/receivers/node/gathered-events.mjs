/**
 * Returns the events of a verified request, from a destination with and without debounce. The body may be a string or a
 * Buffer, and header names are in lower case.
 */
export function eventsOf(headers, rawBody) {
  if (headers['x-service-event-count'] !== undefined) return JSON.parse(rawBody);
  const [deliveryId, eventId] = [headers['x-service-delivery-id'], headers['x-service-event-id']];
  const [eventType, attempt] = [headers['x-service-event-type'], Number(headers['x-service-attempt'])];
  const eventFlags = headers['x-service-event-flags'];
  return [{ deliveryId, eventId, eventType, eventFlags, attempt, event: JSON.parse(rawBody) }];
}
