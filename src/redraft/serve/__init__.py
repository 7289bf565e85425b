"""In: HTTP requests as OpenAI's and Fireworks' clients send them. Out: answers of one engine, one job at a time."""
