import { useEffect, useState } from "react";

type Reading = { celsius: number; takenAt: string };

export function TemperatureCard({ station }: { station: string }) {
  const [reading, setReading] = useState<Reading | null>(null);

  useEffect(() => {
    const timer = setInterval(async () => {
      const answer = await fetch(`/api/stations/${station}/latest`);
      setReading(await answer.json());
    }, 30_000);
    return () => clearInterval(timer);
  }, [station]);

  if (reading === null) {
    return <p className="muted">Waiting for {station}…</p>;
  }
  return (
    <article className="card">
      <h2>{station}</h2>
      <strong>{reading.celsius.toFixed(1)} °C</strong>
    </article>
  );
}
