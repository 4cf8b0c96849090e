/** Saves a text as a file download. Works offline. */
export function saveTextFile(name: string, text: string, type = 'text/plain'): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

/** Saves a file as a download. Works offline. */
export function saveFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the blob only after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
