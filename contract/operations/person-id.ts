const WRITTEN_NUMBER = /^\+?[\d\s().-]+$/;

/** Returns the digits of a phone number that is written with its plus sign, spaces or brackets, as the platform does. */
export function plainPerson(id: string): string {
  const digits = WRITTEN_NUMBER.test(id) ? id.replaceAll(/\D/g, '') : '';
  return digits === '' ? id : digits;
}
