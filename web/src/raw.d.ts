// Texts that become part of the page as they are.
declare module "*?raw" {
  const text: string;
  export default text;
}
