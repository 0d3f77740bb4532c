// All state in the fragment of the URL, which browsers do not send: deflated JSON in base64.
export interface Shared { name: string; text: string; world: string; step?: number }

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const result = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as TransformStream);
  return new Uint8Array(await new Response(result).arrayBuffer());
}

export async function encode(state: Shared): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function decode(fragment: string): Promise<Shared> {
  const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const state = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")))) as Shared;
  if (typeof state.text !== "string" || typeof state.name !== "string") throw new Error("no script in it");
  return { ...state, world: String(state.world ?? "") };
}
