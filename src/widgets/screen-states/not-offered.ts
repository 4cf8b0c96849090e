/** The server has no such call. */
const ABSENT = [404, 405, 410, 501]

/** Whether the status of a refused list means that the server has none of these records. */
export const isNotOffered = (status: number | undefined): boolean => ABSENT.includes(status ?? 0)
